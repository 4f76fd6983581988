#include "sub/q.h"

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 10; i++)
        sum += twice(i);




    /* far from code */



    return sum == 90 ? 0 : 1;
}
