#include <stdio.h>
volatile int million = 1000000, sum;
int main(void)
{
    for (volatile int i = 1; i <= 1000; i++)
        sum = (sum + million / i) & 65535;
    printf("%d\n", sum);
    return 0;
}
