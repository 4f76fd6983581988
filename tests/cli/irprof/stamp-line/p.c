static int counter;
__attribute__((noinline)) static int step(int x)
{
    if (x % 3 == 0)
        counter += x;
    return counter;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += step(i);
    return sum > 100;
}
