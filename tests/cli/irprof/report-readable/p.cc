namespace dsp {
__attribute__((noinline)) int filter(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 1 ? i : 1;
    return sum;
}
}
int main(int argc, char **)
{
    return dsp::filter(argc + 3) == 6 ? 0 : 1;
}
