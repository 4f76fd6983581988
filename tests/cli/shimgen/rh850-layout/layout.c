#include <stddef.h>
struct d {
    char c;
    double d;
};
struct l {
    char c;
    long long l;
};
int sizes[] = {sizeof(short), sizeof(int), sizeof(long), sizeof(void *), sizeof(long double), sizeof(enum { A })};
int offsets[] = {offsetof(struct d, d), offsetof(struct l, l)};
int char_is_signed = (char)-1 < 0;
