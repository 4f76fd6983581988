int one(int x)
{
    if (x > 3)
        return 1;
    return x;
}
int two(int x)
{
    if (x > 3 && x < 7)
        return 1;
    return x;
}
int none(int *p)
{
    return *p;
}
