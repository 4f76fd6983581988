int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 5)
        return 3;
    return 0;
}
