/* main.c - a program that does nothing: with the measuring runtime it proves the counters (SHIM_MEASURE_PROVE). */
int main(void)
{
    return 0;
}
