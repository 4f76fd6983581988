/* no_perf.c - runs a command as a container without CAP_PERFMON runs it: perf_event_open, and personality where it
 * would switch anything, answer EPERM, as Docker's default profile makes them. Usage: no-perf COMMAND [ARGUMENT...] */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define NATIVE AUDIT_ARCH_AARCH64
#elif defined __riscv
#define NATIVE AUDIT_ARCH_RISCV64
#else
#error "this machine's number of audit.h is missing here"
#endif
#define FIELD(f)                        offsetof(struct seccomp_data, f)
#define LOAD(f)                         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(f))
#define IF_SKIP(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (then), (otherwise))
#define ANSWER(what)                    BPF_STMT(BPF_RET | BPF_K, (what))

static int install(void)
{
    struct sock_filter rules[] = {
        LOAD(arch),
        IF_SKIP(NATIVE, 0, 6),
        LOAD(nr),
        IF_SKIP(__NR_perf_event_open, 5, 0),
        IF_SKIP(__NR_personality, 0, 3),
        LOAD(args[0]),
        IF_SKIP(0, 1, 0),
        IF_SKIP(0xffffffff, 0, 1), /* only asks */
        ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: no-perf COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    if (install()) {
        fprintf(stderr, "no-perf: this kernel takes no filter of system calls: %s\n", strerror(errno));
        return 77;
    }
    execvp(argv[1], argv + 1);
    fprintf(stderr, "no-perf: '%s' cannot be run: %s\n", argv[1], strerror(errno));
    return 127;
}
