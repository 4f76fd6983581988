/* offload_table.c - the table of functions and calls to which every input is converted; what names of functions
 * tell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/offload/offload.h"

void offload_table_release(struct offload_table *t)
{
    free(t->path);
    free(t->program);
    free(t->kind);
    for (size_t i = 0; i < t->functions.n; i++) {
        struct offload_function *f = &t->functions.at[i];
        free(f->name);
        free(f->file);
        for (size_t k = 0; k < f->loops.n; k++)
            free(f->loops.at[k].file);
        vec_release(&f->loops);
    }
    for (size_t i = 0; i < t->notes.n; i++)
        free(t->notes.at[i]);
    vec_release(&t->functions);
    vec_release(&t->arcs);
    vec_release(&t->windows);
    vec_release(&t->spent);
    free(t->window_size);
    vec_release(&t->notes);
    *t = (struct offload_table){0};
}

uint32_t offload_add_function(struct offload_table *t, struct offload_function f)
{
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        f.footprint[i] = NAN;
    vec_push(&t->functions, f);
    return (uint32_t)(t->functions.n - 1);
}

const char *offload_bytes_name(enum offload_bytes b)
{
    static const char *const names[] = {"touched", "written", "needed", "left"};
    return names[b];
}

void offload_note(struct offload_table *t, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vec_push(&t->notes, xvasprintf(format, ap));
    va_end(ap);
}

enum status offload_kind_of(enum offload_kind *kind, const char *path, struct error *e)
{
    static const char *const starts[] = {"# callgrind format", "version:", "creator:", "positions:", "events:", "pid:"};
    char head[32] = "";
    FILE *f = fopen(path, "rb");
    if (!f)
        return error_errno(e, AT_FILE(path), "cannot be read");
    size_t n = fread(head, 1, sizeof head - 1, f);
    bool failed = ferror(f);
    fclose(f);
    if (failed)
        return error_errno(e, AT_FILE(path), "cannot be read");
    *kind = OFFLOAD_UNKNOWN;
    if (n >= 8 && memcmp(head, "\x89IRPROF", 7) == 0)
        *kind = OFFLOAD_PROFILE;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(head, starts[i], strlen(starts[i])) == 0)
            *kind = OFFLOAD_CALLGRIND;
    return OK;
}

/* ---- obstacles ---- */

const char *offload_obstacle_name(unsigned bit)
{
    static const char *const names[OFFLOAD_OBSTACLES] = {
        "recursion",       "input and output",     "system calls", "memory allocation", "calls through pointers",
        "pointers chased", "uncounted mathematics"};
    return names[bit];
}

/* Names of functions of the C library and POSIX, with spaces around each. */
static const struct {
    unsigned bit;
    const char *names;
} libraries[] = {
    {OFFLOAD_IO,
     " printf fprintf vprintf vfprintf dprintf puts putchar putc fputs fputc fwrite fread fgets fgetc getc getchar "
     "getline "
     "getdelim gets scanf fscanf sscanf fopen fdopen freopen fclose fflush fseek ftell rewind read write pread pwrite "
     "readv writev open openat creat close lseek fstat stat lstat ioctl select poll epoll_wait recv recvfrom recvmsg "
     "send "
     "sendto sendmsg socket accept connect perror __printf_chk __fprintf_chk __vfprintf_chk putchar_unlocked "
     "fputs_unlocked "
     "_IO_putc vfprintf_internal _IO_file_write _IO_file_read __vfprintf_internal __vfscanf_internal "},
    {OFFLOAD_SYSTEM,
     " syscall mmap munmap mprotect fork vfork clone execve waitpid wait kill sigaction signal raise nanosleep usleep "
     "sleep clock_gettime gettimeofday time getpid pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock "
     "pthread_cond_wait pthread_cond_signal sem_wait sem_post futex exit _exit abort system "},
    {OFFLOAD_ALLOCATE, " malloc calloc realloc free aligned_alloc posix_memalign memalign reallocarray strdup strndup "
                       "brk sbrk _Znwm _Znam "
                       "_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _int_malloc _int_free "},
    {OFFLOAD_MATHS, " sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow cbrt "
                    "hypot fmod erf erfc "
                    "tgamma lgamma sincos remainder "},
};

/* "sinf" and "sinl" are "sin" in another precision. */
static bool in_names(const char *names, const char *name, size_t n)
{
    char *word = xasprintf(" %.*s ", (int)n, name);
    bool found = strstr(names, word) != NULL;
    free(word);
    return found;
}

unsigned offload_library_obstacles(const char *name)
{
    unsigned bits = 0;
    size_t n = strcspn(name, "@'");
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        bool maths = libraries[i].bit == OFFLOAD_MATHS;
        bool other_precision = maths && n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l');
        if (in_names(libraries[i].names, name, n) || (other_precision && in_names(libraries[i].names, name, n - 1)))
            bits |= libraries[i].bit;
    }
    return bits;
}
