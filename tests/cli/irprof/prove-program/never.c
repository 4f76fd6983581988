/* What the runtime of stamps does with IRPROF_STAMP_FLIP. */
#include <stdlib.h>
extern unsigned char irprof_stamp_never;
__attribute__((constructor)) static void flip(void)
{
    const char *text = getenv("IRPROF_STAMP_FLIP");
    irprof_stamp_never = text && text[0] == '1';
}
