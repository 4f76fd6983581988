int main(int n, char **a)
{
    (void)a;
    return n - 1;
}
