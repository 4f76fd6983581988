#include "a.h"
int main(void) { return b(A); }
