/*
 * json_scan - read an array of 150 JSON records: objects, arrays, strings with escapes, numbers, words; count what is
 * there.
 *
 * Work: each of a record's 108 characters is loaded and compared at least once, and what follows depends on it:
 * 150 * 108 * 2 = 32400.
 */
#include "../sample.h"

#define RECORDS 150

struct census {
    int objects, arrays, strings, numbers, words, deepest, errors;
    long sum;
};

/* By hand: 2 objects, 1 array, 11 strings (8 of them names), the numbers 17 -4 250 0 (sum 263), 3 words. */
static const char record[] = "{\"id\": 17, \"tags\": [\"a\\\"b\", \"\", -4, 250], \"open\": {\"x\": 0, \"y\": null},\n"
                             " \"ok\": true, \"by\": \"me\", \"no\": false}";

static char text[RECORDS * sizeof record + 2];
static struct census census;

static const char *read_value(const char *at, int depth);

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\n')
        at++;
    return at;
}

static const char *read_string(const char *at)
{
    census.strings++;
    for (at++; *at != '"' && *at != '\0'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
}

static const char *read_number(const char *at)
{
    int negative = *at == '-', value = 0;

    for (at += negative; *at >= '0' && *at <= '9'; at++)
        value = 10 * value + (*at - '0');
    census.numbers++;
    census.sum += negative ? -value : value;
    return at;
}

static const char *read_word(const char *at)
{
    if (*at < 'a' || *at > 'z') {
        census.errors++;
        return at + (*at != '\0');
    }
    census.words++;
    while (*at >= 'a' && *at <= 'z')
        at++;
    return at;
}

/* Objects and arrays differ in their brackets and in the names before an object's values. */
static const char *read_members(const char *at, char close, int depth)
{
    for (at = skip_blanks(at + 1); *at != close && *at != '\0'; at = skip_blanks(at)) {
        if (close == '}') {
            at = skip_blanks(read_string(at));
            if (*at++ != ':')
                census.errors++;
        }
        at = skip_blanks(read_value(skip_blanks(at), depth + 1));
        if (*at == ',')
            at++;
    }
    return at + 1;
}

static const char *read_value(const char *at, int depth)
{
    if (depth > census.deepest)
        census.deepest = depth;
    switch (*at) {
    case '{':
        census.objects++;
        return read_members(at, '}', depth);
    case '[':
        census.arrays++;
        return read_members(at, ']', depth);
    case '"':
        return read_string(at);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return read_number(at);
    default:
        return read_word(at);
    }
}

int main(void)
{
    char *end = text;
    int i;

    for (i = 0; i < RECORDS; i++) {
        *end++ = i ? ',' : '[';
        memcpy(end, record, sizeof record - 1);
        end += sizeof record - 1;
    }
    *end++ = ']';
    *end = '\0';
    memset(&census, 0, sizeof census);
    SHIM_KEEP(text);
    SHIM_KEEP(&census);
    shim_region_begin("json_scan");
    read_value(text, 0);
    shim_region_end("json_scan");
    SHIM_KEEP(&census);
    return sample_verdict_int("errors", census.errors, 0) || sample_verdict_int("deepest", census.deepest, 3) ||
           sample_verdict_int("objects", census.objects, 2 * RECORDS) ||
           sample_verdict_int("arrays", census.arrays, RECORDS + 1) ||
           sample_verdict_int("strings", census.strings, 11 * RECORDS) ||
           sample_verdict_int("numbers", census.numbers, 4 * RECORDS) ||
           sample_verdict_int("words", census.words, 3 * RECORDS) ||
           sample_verdict_int("sum", census.sum, 263L * RECORDS);
}
