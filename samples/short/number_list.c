/*
 * number_list - signed numbers between commas read from a text of 32 characters.
 *
 * Truth: the text's numbers, by eye; their sum is 1186.
 * Work: 30 characters are loaded and compared: 60.
 */
#include "../sample.h"

enum { SIZE = 32 };
static char text[SIZE];
static int numbers[SIZE], count;

static int read_numbers(const char *p)
{
    int n = 0;

    while (*p) {
        int sign = 1, value = 0;

        if (*p == '-') {
            sign = -1;
            p++;
        }
        while (*p >= '0' && *p <= '9')
            value = 10 * value + (*p++ - '0');
        numbers[n++] = sign * value;
        if (*p == ',')
            p++;
    }
    return n;
}

int main(void)
{
    int sum = 0;

    strcpy(text, "12,-7,300,4,-55,1000,9,-77,0,-0");
    SHIM_KEEP(text);
    shim_region_begin("number_list");
    count = read_numbers(text);
    SHIM_KEEP(numbers);
    SHIM_KEEP(&count);
    shim_region_end("number_list");
    for (int i = 0; i < count; i++)
        sum += numbers[i];
    return sample_verdict_int("numbers", count, 10) | sample_verdict_int("sum", sum, 1186);
}
