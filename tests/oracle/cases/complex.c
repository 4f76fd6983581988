/* Complex numbers of the language: products and quotients call the compiler's library, which returns two doubles. */
#include <complex.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double complex z = argc * 0.5 + I, w = 1;

    (void)argv;
    for (int i = 0; i < 5; i++)
        w = w * z + 1 / (w + z);
    printf("%.17g %.17g\n", creal(w), cimag(w));
    return 0;
}
