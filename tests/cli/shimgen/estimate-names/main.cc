namespace plant {
int filter(int);
}
int main()
{
    return plant::filter(1) < 0;
}
