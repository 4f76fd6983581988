/* main.c - a program that does nothing. With the measuring runtime it checks the counters (SHIM_MEASURE_PROVE). */
int main(void)
{
    return 0;
}
