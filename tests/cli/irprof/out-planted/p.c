#include <stdio.h>
int main(void)
{
    return getchar() == 'x' ? 0 : 1;
}
