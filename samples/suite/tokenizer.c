/*
 * tokenizer - split 100 copies of a piece of C into identifiers, numbers, strings and operators.
 *
 * Work: each of the piece's 71 characters is loaded and compared at least once to find where a token ends:
 * 100 * 71 * 2 = 14200. Where the next token starts depends on it.
 */
#include "../sample.h"

#define COPIES 100

enum kind { IDENTIFIER, NUMBER, STRING, OPERATOR, KINDS };

/*
 * By hand: for int i i limit16 i if seen i printf i value; 0 0x1f 3; one string; ( = ; < ; ++ ) ( [ ] >= ) ( , + * ) ;
 */
static const char piece[] = "for(int i=0;i<limit16;i++)if(seen[i]>=0x1f)printf(\"%d \\\"\\n\",i+value*3);";
static const int expected[KINDS] = {12, 3, 1, 18};

static char text[COPIES * sizeof piece];
static int counts[KINDS];

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* The end of the token that starts here, and its kind. */
static const char *scan(const char *at, enum kind *kind)
{
    if (is_letter(*at) || is_digit(*at)) {
        *kind = is_letter(*at) ? IDENTIFIER : NUMBER;
        while (is_letter(*at) || is_digit(*at))
            at++;
        return at;
    }
    if (*at == '"') {
        *kind = STRING;
        for (at++; *at != '"'; at++)
            if (*at == '\\')
                at++;
        return at + 1;
    }
    *kind = OPERATOR;
    if ((at[0] == '+' && at[1] == '+') || (at[0] == '>' && at[1] == '='))
        return at + 2;
    return at + 1;
}

static void tokenize(const char *at)
{
    enum kind kind;

    while (*at != '\0') {
        if (*at == ' ' || *at == '\n') {
            at++;
            continue;
        }
        at = scan(at, &kind);
        counts[kind]++;
    }
}

int main(void)
{
    int i;

    for (i = 0; i < COPIES; i++) {
        memcpy(text + (size_t)i * (sizeof piece), piece, sizeof piece - 1);
        text[(size_t)(i + 1) * sizeof piece - 1] = '\n';
    }
    text[COPIES * sizeof piece - 1] = '\0';
    memset(counts, 0, sizeof counts);
    SHIM_KEEP(text);
    SHIM_KEEP(counts);
    shim_region_begin("tokenizer");
    tokenize(text);
    shim_region_end("tokenizer");
    SHIM_KEEP(counts);
    for (i = 0; i < KINDS; i++)
        if (sample_verdict_int("tokens of a kind", counts[i], COPIES * expected[i]))
            return 1;
    return 0;
}
