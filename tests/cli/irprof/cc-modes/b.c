#include "a.h"
int b(int x) { return x + 1; }
