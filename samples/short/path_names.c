/*
 * path_names - two paths joined and taken apart by the C library's strings.
 *
 * Truth: "etc/shim" joined with "board.ini" has 18 characters, and its last part is equal to the second path.
 * Work: five calls with two arguments each: 5.
 */
#include "../sample.h"

static char folder[16], file[16], joined[32];
static int length, same;

static void join(void)
{
    size_t n = strlen(folder);

    memcpy(joined, folder, n);
    joined[n] = '/';
    strcpy(joined + n + 1, file);
    length = (int)strlen(joined);
    same = strcmp(strrchr(joined, '/') + 1, file) == 0;
}

int main(void)
{
    strcpy(folder, "etc/shim");
    strcpy(file, "board.ini");
    SHIM_KEEP(folder);
    SHIM_KEEP(file);
    shim_region_begin("path_names");
    join();
    SHIM_KEEP(joined);
    SHIM_KEEP(&length);
    SHIM_KEEP(&same);
    shim_region_end("path_names");
    return sample_verdict_int("length", length, 18) | sample_verdict_int("last part", same, 1);
}
