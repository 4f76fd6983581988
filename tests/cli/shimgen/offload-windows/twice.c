#include <dlfcn.h>
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        void *so = dlopen(i % 2 ? "./b.so" : "./a.so", RTLD_NOW);
        int (*f)(void) = so ? (int (*)(void))dlsym(so, "f") : 0;
        sum += f ? f() : 1;
        if (i == 3)
            dlclose(so);
    }
    return sum;
}
