/*
 * calendar - 60 dates from days since 1970 and back, with day and week of the year (ISO 8601), leap years, and Easter
 * Sunday of 30 years.
 *
 * Days by eras of 400 years; Easter by the anonymous Gregorian algorithm (Nature, 1876). The truth: dates counted on
 * day by day, outside; and Easter in 1961, 2000, 2008 and 2024 as kept.
 *
 * Work: each date takes at least 8 quotients (of constants: a product and a shift each) there and 3 back, each Easter 8
 * with their remainders, at most 16 at once: (60 * 11 * 2 + 30 * 8 * 4) / 16 = 142.
 */
#include "../sample.h"

#define DATES 60
#define YEARS 30

struct date {
    int32_t year;
    uint8_t month, day, weekday, week; /* Monday 1; the week that holds the year's first Thursday is 1 */
    uint16_t day_of_year;
};

static int32_t days[DATES], back[DATES];
static struct date dates[DATES];
static int32_t years[YEARS];
static uint8_t easters[YEARS][2];

static int is_leap(int32_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Years begin in March; day 0 is 1970-01-01. */
static int32_t days_of(int32_t year, int32_t month, int32_t day)
{
    int32_t y = month <= 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int32_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static uint8_t week_of(const struct date *d)
{
    int32_t week = (d->day_of_year - d->weekday + 10) / 7;
    int32_t year = week == 0 ? d->year - 1 : d->year;
    int32_t january = days_of(year, 1, 1), length = is_leap(year) ? 366 : 365;

    if (week == 0) {
        int32_t weekday = d->weekday, day = d->day_of_year + length;

        return (uint8_t)((day - weekday + 10) / 7);
    }
    if (week == 53 && (january + length + 3) % 7 < 4) /* the next January starts before Friday */
        return 1;
    return (uint8_t)week;
}

static struct date date_of(int32_t days_since)
{
    int32_t z = days_since + 719468, era = (z >= 0 ? z : z - 146096) / 146097, of_era = z - era * 146097;
    int32_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int32_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    struct date d;

    d.day = (uint8_t)(of_year - (153 * month + 2) / 5 + 1);
    d.month = (uint8_t)(month < 10 ? month + 3 : month - 9);
    d.year = year + era * 400 + (d.month <= 2);
    d.weekday = (uint8_t)(((days_since % 7) + 7 + 3) % 7 + 1);
    d.day_of_year = (uint16_t)(days_since - days_of(d.year, 1, 1) + 1);
    d.week = week_of(&d);
    return d;
}

static void easter(int32_t year, uint8_t out[2])
{
    int32_t a = year % 19, b = year / 100, c = year % 100, d = b / 4, e = b % 4, f = (b + 8) / 25, g = (b - f + 1) / 3;
    int32_t h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
    int32_t m = (a + 11 * h + 22 * l) / 451, month = (h + l - 7 * m + 114) / 31, day = (h + l - 7 * m + 114) % 31 + 1;

    out[0] = (uint8_t)month;
    out[1] = (uint8_t)day;
}

static void work(void)
{
    for (int i = 0; i < DATES; i++) {
        dates[i] = date_of(days[i]);
        back[i] = days_of(dates[i].year, dates[i].month, dates[i].day);
    }
    for (int i = 0; i < YEARS; i++)
        easter(years[i], easters[i]);
}

static int check_date(const struct date *got, int32_t since)
{
    static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct date d = {1970, 1, 1, 4, 1, 1};

    for (int32_t n = 0; n < since; n++) {
        d.weekday = d.weekday % 7 + 1;
        d.day_of_year++;
        if (++d.day > lengths[d.month - 1] + (d.month == 2 && is_leap(d.year))) {
            d.day = 1;
            d.month++;
        }
        if (d.month > 12) {
            d.month = 1;
            d.year++;
            d.day_of_year = 1;
        }
        if (d.weekday == 1) { /* is this Monday's Thursday in the next year, or is it that year's first? */
            int left = (is_leap(d.year) ? 366 : 365) - d.day_of_year;

            if (left < 3)
                d.week = 1;
            else
                d.week = d.day_of_year <= 4 ? 1 : (uint8_t)(d.week + 1);
        }
    }
    return sample_verdict_int("year", got->year, d.year) | sample_verdict_int("month", got->month, d.month) |
           sample_verdict_int("day", got->day, d.day) | sample_verdict_int("weekday", got->weekday, d.weekday) |
           sample_verdict_int("day of the year", got->day_of_year, d.day_of_year) |
           sample_verdict_int("week", got->week, d.week);
}

int main(void)
{
    static const int32_t known[4][3] = {{1961, 4, 2}, {2000, 4, 23}, {2008, 3, 23}, {2024, 3, 31}};

    for (int i = 0; i < DATES; i++) /* about a new year, for half of them */
        days[i] = i % 2 ? days_of(1972 + 3 * i, 1, 1) - 4 + i % 9 : 719 * i + 11;
    for (int i = 0; i < YEARS; i++)
        years[i] = i < 4 ? known[i][0] : 1970 + 5 * i;
    SHIM_KEEP(days);
    SHIM_KEEP(years);
    shim_region_begin("calendar");
    work();
    SHIM_KEEP(dates);
    SHIM_KEEP(back);
    SHIM_KEEP(easters);
    shim_region_end("calendar");
    for (int i = 0; i < DATES; i++)
        if (check_date(&dates[i], days[i]) || sample_verdict_int("days since 1970", back[i], days[i]))
            return 1;
    for (int i = 0; i < YEARS; i++) {
        int32_t since = days_of(years[i], easters[i][0], easters[i][1]);

        if (sample_verdict_int("weekday of Easter", date_of(since).weekday, 7) ||
            (i < 4 && (sample_verdict_int("month of Easter", easters[i][0], known[i][1]) ||
                       sample_verdict_int("day of Easter", easters[i][1], known[i][2]))))
            return 1;
    }
    return 0;
}
