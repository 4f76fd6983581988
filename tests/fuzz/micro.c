/* micro.c - the fuzz target of micro.csv: refused with a reason, or a table that is the same when it is written and
 * read again, and whose values of SHIM's instructions are in order. */
#include <stdlib.h>

#include "base/file.h"
#include "shimgen/estimate/tune/micro_table.h"
#include "shimgen/values/micro_values.h"
#include "tests/fuzz/target.h"

/* The first writing rounds to six digits, and what is rounded may be refused for it (low over value). */
static void again(const struct micro_table *t)
{
    struct error e = ERROR_INIT;
    struct micro_table b;
    char *first = target_path("first.csv"), *second = target_path("second.csv");
    if (micro_table_write(t, first, &e))
        BUG("%s", e.message);
    if (micro_table_read(&b, first, &e))
        BUG("what was written cannot be read: %s", e.message);
    if (b.rows.n != t->rows.n || micro_table_write(&b, second, &e))
        BUG("written and read it has other rows");
    target_same(first, second, "micro.csv");
    micro_table_release(&b);
    free(first);
    free(second);
}

static void find_values(const struct micro_table *t)
{
    struct error e = ERROR_INIT;
    struct micro_values v = {0};
    char *path = target_path("values.csv");
    micro_values_find(&v, t, t->rows.at[0].event);
    if (target_passed(micro_values_write(&v, path, &e), &e))
        for (size_t i = 0; i < v.at.n; i++)
            free(micro_value_source(&v.at.at[i]));
    micro_values_release(&v);
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct micro_table t;
    char *path = target_file("micro.csv", data, size);
    if (target_passed(micro_table_read(&t, path, &e), &e)) {
        again(&t);
        find_values(&t);
        micro_table_release(&t);
    }
    free(path);
    return 0;
}
