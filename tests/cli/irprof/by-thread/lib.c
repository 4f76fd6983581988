void inside(void);
void inside(void)
{
}
