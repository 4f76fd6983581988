/* rt_maps.c - lists this process's readable memory by /proc/self/maps, without using the heap. */
#include "rt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes "55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0   [heap]". */
static void take_line(const char *text, rt_mapping *take)
{
    char *end;
    unsigned long long from = strtoull(text, &end, 16), to = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
    if (*end != ' ' || end[1] != 'r' || strstr(end, "[v")) /* not [vdso], [vvar], [vsyscall], which are the kernel's */
        return;
    if (from < to)
        take((char *)(uintptr_t)from, (char *)(uintptr_t)to, end[2] == 'w');
}

int rt_each_mapping(rt_mapping *take)
{
    static char text[65536];
    size_t have = 0;
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    while ((got = read(fd, text + have, sizeof text - 1 - have)) > 0) {
        have += (size_t)got;
        text[have] = 0;
        char *start = text, *newline;
        while ((newline = strchr(start, '\n'))) {
            *newline = 0;
            take_line(start, take);
            start = newline + 1;
        }
        have = (size_t)(text + have - start);
        memmove(text, start, have);
    }
    close(fd);
    return 0;
}
