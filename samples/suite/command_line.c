/*
 * command_line - a device's commands, 40 lines as "set gain 125", are taken apart and answered with the string
 * functions of the library: strlen, strchr, strcmp, strncmp, strcspn, memcpy, memset, strtol, strtod, snprintf.
 *
 * The truth: the lines are written from known numbers; what the device holds afterwards is set outside, without texts.
 *
 * Work: each of 40 lines is compared with some of 4 words, and its number written: 40 * 15.
 */
#include "../sample.h"
#include "lcg.h"

#define LINES 40
#define NAMES 4

static const char *const names[NAMES] = {"gain", "offset", "limit", "rate"};
static char lines[LINES][32], answers[LINES][32];
static int wanted[LINES], index_of[LINES];
static double held[NAMES];
static int bad;

/* "get NAME", "set NAME NUMBER", "add NAME NUMBER" */
static void answer(const char *line, char *out)
{
    char word[16];
    const char *at = strchr(line, ' ');
    size_t n = at ? strcspn(at + 1, " ") : 0;
    int which = 0;

    memset(out, 0, sizeof answers[0]);
    if (n == 0 || n >= sizeof word) {
        bad++;
        return;
    }
    memcpy(word, at + 1, n);
    word[n] = 0;
    while (which < NAMES && strcmp(word, names[which]) != 0)
        which++;
    if (which == NAMES) {
        bad++;
    } else if (strncmp(line, "get", 3) == 0) {
        snprintf(out, sizeof answers[0], "%s=%ld", names[which], (long)held[which]);
    } else {
        const char *number = at + 1 + n;
        if (strchr(number, '.'))
            held[which] = strtod(number, 0);
        else
            held[which] = (double)(strtol(number, 0, 10) + (strncmp(line, "add", 3) == 0 ? (long)held[which] : 0));
        snprintf(out, sizeof answers[0], "ok %zu", strlen(line));
    }
}

static void work(void)
{
    for (int i = 0; i < LINES; i++)
        answer(lines[i], answers[i]);
}

/* The number that a text ends in. */
static int last_number(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n = *text >= '0' && *text <= '9' ? 10 * n + *text - '0' : 0;
    return n;
}

static int check(void)
{
    double value[NAMES] = {0};

    for (int i = 0; i < LINES; i++) {
        double *v = &value[index_of[i]];
        int length = 0;

        while (lines[i][length])
            length++;
        if (i % 4 == 3) {
            if (sample_verdict_int("answer", last_number(answers[i]), (int)*v))
                return 1;
            continue;
        }
        *v = i % 4 == 0 ? wanted[i] : i % 4 == 1 ? wanted[i] + (int)*v : wanted[i] + 0.25;
        if (sample_verdict_int("length", last_number(answers[i]), length))
            return 1;
    }
    for (int k = 0; k < NAMES; k++)
        if (sample_verdict_real(names[k], held[k], value[k], 0))
            return 1;
    return sample_verdict_int("bad lines", bad, 0);
}

int main(void)
{
    uint32_t seed = 64;

    memset(held, 0, sizeof held);
    bad = 0;
    for (int i = 0; i < LINES; i++) {
        static const char *const forms[] = {"set %s %d", "add %s %d", "set %s %d.25", "get %s"};

        index_of[i] = (int)(lcg_draw(&seed) % NAMES);
        wanted[i] = (int)(lcg_draw(&seed) % 1000);
        snprintf(lines[i], sizeof lines[i], forms[i % 4], names[index_of[i]], wanted[i]);
    }
    SHIM_KEEP(lines);
    shim_region_begin("command_line");
    work();
    SHIM_KEEP(answers);
    SHIM_KEEP(held);
    shim_region_end("command_line");
    return check();
}
