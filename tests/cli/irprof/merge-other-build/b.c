volatile int v; int main(void) { v = 1; return 0; }
