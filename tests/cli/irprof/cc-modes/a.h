#define A 2
int b(int x);
