/*
 * nmea - 120 sentences of a satellite receiver (NMEA 0183, GGA) as text: checksum, fields, degrees and minutes to
 * degrees in double, and the length of the way in metres along latitude.
 *
 * The truth: the positions that the sentences were printed from, to 1e-7 degrees; damaged sentences are refused.
 *
 * Work: at least 55 characters of each sentence are loaded, combined into the checksum and compared to find the fields;
 * the checksum may go in vectors, the fields, each with an end that must be found, not: 120 * 55 * 2 = 13200.
 */
#include "../sample.h"
#include "test_signal.h"

#define SENTENCES 120
#define LONGEST   96
#define FIELDS    16

struct fix {
    double latitude, longitude, height;
    int second, satellites, valid;
};

static char sentences[SENTENCES][LONGEST];
static struct fix fixes[SENTENCES], truth[SENTENCES];
static int damaged[SENTENCES];

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Behind the '*' if the checksum before it is right, else null. */
static const char *checked(const char *at)
{
    unsigned sum = 0;

    if (*at++ != '$')
        return NULL;
    for (; *at != '*'; at++) {
        if (*at == 0)
            return NULL;
        sum ^= (unsigned char)*at;
    }
    return hex_digit(at[1]) * 16 + hex_digit(at[2]) == (int)sum ? at : NULL;
}

static int split(const char *at, const char *end, const char *fields[FIELDS])
{
    int n = 0;

    fields[n++] = at;
    for (; at < end; at++)
        if (*at == ',' && n < FIELDS)
            fields[n++] = at + 1;
    return n;
}

static double real_of(const char *at)
{
    double value = 0, unit = 1;
    int negative = *at == '-';

    at += negative;
    for (; *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) {
            value = value * 10 + (*at - '0');
            unit *= 10;
        }
    value /= unit;
    return negative ? -value : value;
}

static int whole_of(const char *at)
{
    int value = 0;

    for (; *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (*at - '0');
    return value;
}

/* dddmm.mmmm to degrees. */
static double degrees_of(const char *at, char sign)
{
    double value = real_of(at);
    double whole = (double)((int)value / 100);
    double degrees = whole + (value - whole * 100) / 60;

    return sign == 'S' || sign == 'W' ? -degrees : degrees;
}

static void read_sentence(const char *text, struct fix *fix)
{
    const char *fields[FIELDS], *end = checked(text);
    int time;

    fix->valid = 0;
    if (end == NULL || split(text + 1, end, fields) < 10 || fields[0][2] != 'G' || fields[0][4] != 'A')
        return;
    time = whole_of(fields[1]);
    fix->second = time / 10000 * 3600 + time / 100 % 100 * 60 + time % 100;
    fix->latitude = degrees_of(fields[2], *fields[3]);
    fix->longitude = degrees_of(fields[4], *fields[5]);
    fix->satellites = whole_of(fields[7]);
    fix->height = real_of(fields[9]);
    fix->valid = 1;
}

static void print_sentence(char *text, const struct fix *fix)
{
    double north = fabs(fix->latitude), east = fabs(fix->longitude);
    unsigned sum = 0;
    int n = snprintf(text, LONGEST, "$GPGGA,%02d%02d%02d.00,%02d%08.5f,%c,%03d%08.5f,%c,1,%02d,0.9,%.1f,M,47.0,M,,",
                     fix->second / 3600, fix->second / 60 % 60, fix->second % 60, (int)north, (north - (int)north) * 60,
                     fix->latitude < 0 ? 'S' : 'N', (int)east, (east - (int)east) * 60, fix->longitude < 0 ? 'W' : 'E',
                     fix->satellites, fix->height);

    for (int i = 1; i < n; i++)
        sum ^= (unsigned char)text[i];
    snprintf(text + n, (size_t)(LONGEST - n), "*%02X", sum);
}

static void prepare(void)
{
    uint32_t noise = 17;

    for (int i = 0; i < SENTENCES; i++) {
        truth[i].latitude = 80.0 * noise_unit(&noise);
        truth[i].longitude = 170.0 * noise_unit(&noise);
        truth[i].height = noise_within(&noise, 4000) / 10.0;
        truth[i].second = 40000 + 7 * i;
        truth[i].satellites = 4 + i % 9;
        print_sentence(sentences[i], &truth[i]);
        damaged[i] = i % 12 == 11;
        if (damaged[i])
            sentences[i][20 + i % 20] ^= 0x01;
    }
    memset(fixes, 0, sizeof fixes);
    SHIM_KEEP(sentences);
}

int main(void)
{
    double worst = 0;

    prepare();
    shim_region_begin("nmea");
    for (int i = 0; i < SENTENCES; i++)
        read_sentence(sentences[i], &fixes[i]);
    SHIM_KEEP(fixes);
    shim_region_end("nmea");
    for (int i = 0; i < SENTENCES; i++) {
        if (sample_verdict_int("whether taken", fixes[i].valid, !damaged[i]))
            return 1;
        if (damaged[i])
            continue;
        worst = worse_of(worst, fabs(fixes[i].latitude - truth[i].latitude));
        worst = worse_of(worst, fabs(fixes[i].longitude - truth[i].longitude));
        worst = worse_of(worst, fabs(fixes[i].height - truth[i].height) / 1e6);
        if (sample_verdict_int("second", fixes[i].second, truth[i].second) ||
            sample_verdict_int("satellites", fixes[i].satellites, truth[i].satellites))
            return 1;
    }
    return sample_verdict_real("worst error of a position", worst, 0, 1.01e-7);
}
