/* units.c - the fuzz target of files of instructions (FunctionalUnitSetFile). The first line is the name that a
 * description gives, the rest what stands in parts/units.xml: what leads out of the folder is refused, and what is read
 * is used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/shimxml.h"
#include "tests/fuzz/target.h"

static const char before[] =
    "<shim:Shim xmlns:shim=\"http://www.multicore-association.org/2017/SHIM2.0/\" name=\"b\" shimVersion=\"2.0\">"
    "<SystemConfiguration><ComponentSet name=\"T\" id=\"T\"><MasterComponent name=\"C\" id=\"C\" masterType=\"PU\" "
    "arch=\"a\"><CommonInstructionSet name=\"LLVM\"><FunctionalUnitSetFile src=\"";
static const char after[] =
    "\"/></CommonInstructionSet><AccessTypeSet><AccessType name=\"R\" id=\"R\"/></AccessTypeSet></MasterComponent>"
    "</ComponentSet><FrequencyVoltageSet><FrequencyDomain name=\"D\" id=\"D\"/><OperatingPointSet name=\"S\" id=\"S\">"
    "<OperatingPoint name=\"P\" id=\"P\" frequency=\"600\" frequencyUnit=\"MHz\"/></OperatingPointSet>"
    "</FrequencyVoltageSet></SystemConfiguration></shim:Shim>";

static char *escaped(const char *text, size_t n)
{
    struct str out = STR_INIT;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] >= ' ' && (unsigned char)text[i] < 0x7f)
            str_addf(&out, "&#%d;", text[i]);
    return str_detach(&out);
}

/* The name may be of one file alone, written in some way. */
static bool may_be_read(const char *src)
{
    const char *units = strstr(src, "units.xml");
    return units && !units[strlen("units.xml")] && !strstr(src, "..") && *src != '/';
}

static void use(const struct shimxml_doc *d, const char *src)
{
    struct shimxml_system *s = 0;
    struct shimxml_findings f = {0};
    struct error e = ERROR_INIT;
    bool read = target_passed(shimxml_system(&s, d, &e), &e), said = false;
    shimxml_check(d, &f);
    for (size_t i = 0; i < f.n; i++)
        said = said || strcmp(f.at[i].rule, "units-file") == 0;
    if (read && (said || !may_be_read(src)))
        BUG("'%s' was read", src);
    if (read && s->n_cores != 1)
        BUG("%zu cores", s->n_cores);
    shimxml_findings_release(&f);
    shimxml_system_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : 0;
    size_t n = end ? (size_t)(end - data) : 0;
    struct error e = ERROR_INIT;
    struct shimxml_doc *d = 0;
    char *folder = target_path("parts");
    if (!end || make_directories(folder, 0)) {
        free(folder);
        return 0;
    }
    char *src = escaped((const char *)data, n), *text = xasprintf("%s%s%s", before, src, after);
    char *units = target_file("parts/units.xml", end + 1, size - n - 1);
    char *board = target_file("board.xml", text, strlen(text));
    if (shimxml_read(&d, board, &e))
        BUG("the description cannot be read: %s", e.message);
    use(d, shimxml_get(shimxml_following(shimxml_root(d), 0, "FunctionalUnitSetFile"), "src"));
    shimxml_free(d);
    free(folder);
    free(src);
    free(text);
    free(units);
    free(board);
    return 0;
}
