/* reference_tools.c - what the published SHIM tools leave of a file, where these are not at hand: reads IN, writes OUT.
 *
 *   api IN OUT                  load and save by the Java API, as the Editors do: what the schema does not know, comments
 *                               and processing instructions are gone, numbers are single-precision floats
 *   memory IN OUT               write-back of memory: the same, as it measures again what stands there
 *   cycles CSV IN OUT           MeasurementCycleWriteback: rows "name, best, typical, worst"; Pitch is wiped, cycles are
 *                               whole, and all cores have them
 *   performance CSV IN OUT      Performance2SHIM: one FunctionalUnit with the instructions of the table in place of all
 *
 * Only the schema's tables are shared with the product; files are read and written by libxml2. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/schema.h"

enum { LINE = 4000, FIELDS = 400, ROWS = 20000 };

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "reference_tools: %s: %s\n", which, what);
    exit(1);
}

static const char *text_of(const xmlNode *n, const char *attribute)
{
    for (const xmlAttr *a = n->properties; a; a = a->next)
        if (strcmp((const char *)a->name, attribute) == 0)
            return a->children ? (const char *)a->children->content : "";
    return "";
}

static bool is(const xmlNode *n, const char *name)
{
    return n && n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

static xmlNode *child(const xmlNode *n, const char *name)
{
    for (xmlNode *c = n ? n->children : 0; c; c = c->next)
        if (is(c, name))
            return c;
    return 0;
}

static void put(xmlNode *n, const char *attribute, const char *value)
{
    xmlSetProp(n, (const xmlChar *)attribute, (const xmlChar *)value);
}

static void put_float(xmlNode *n, const char *attribute, const char *value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", (double)strtof(value, 0));
    if (!strpbrk(text, ".en"))
        strcat(text, ".0");
    put(n, attribute, text);
}

/* ---- what a load and a save leave ---- */

static void keep_attributes(xmlNode *n, const struct schema_element *spec)
{
    for (xmlAttr *a = n->properties, *next; a; a = next) {
        const struct schema_attribute *k = spec->attributes;
        next = a->next;
        while (k->name && strcmp(k->name, (const char *)a->name) != 0)
            k++;
        if (!k->name)
            xmlRemoveProp(a);
        else if (k->type == TYPE_float) {
            char *value = strdup(text_of(n, k->name));
            put_float(n, k->name, value);
            free(value);
        }
    }
}

static void keep_known(xmlNode *n, const struct schema *schema)
{
    const struct schema_element *spec = schema_find(schema, (const char *)n->name);
    keep_attributes(n, spec);
    for (xmlNode *c = n->children, *next; c; c = next) {
        next = c->next;
        bool element = c->type == XML_ELEMENT_NODE && schema_find(schema, (const char *)c->name);
        bool text = c->type == XML_TEXT_NODE && spec->text != TYPE_none;
        if (element) {
            keep_known(c, schema);
        } else if (!text) {
            xmlUnlinkNode(c);
            xmlFreeNode(c);
        }
    }
}

static void load_and_save(xmlDoc *d, const struct schema *schema)
{
    for (xmlNode *n = d->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_ELEMENT_NODE)
            continue;
        xmlUnlinkNode(n);
        xmlFreeNode(n);
    }
    keep_known(xmlDocGetRootElement(d), schema);
}

/* ---- tables ---- */

struct row {
    char *field[FIELDS];
    int n;
    bool grouping;
};
static struct row rows[ROWS];
static int n_rows;

static void read_table(const char *path)
{
    FILE *f = fopen(path, "r");
    static char line[LINE];
    bool grouping = false;
    if (!f)
        fail("cannot be read", path);
    while (fgets(line, sizeof line, f) && n_rows < ROWS) {
        struct row *r = &rows[n_rows];
        if (*line == '#') {
            grouping = strstr(line, "grouping");
            continue;
        }
        r->grouping = grouping;
        r->n = 0;
        for (char *word = strtok(line, ", \r\n"); word && r->n < FIELDS; word = strtok(0, ", \r\n"))
            r->field[r->n++] = strdup(word);
        n_rows += r->n > 0;
    }
    fclose(f);
}

static const struct row *row_of(const char *name)
{
    for (int i = 0; i < n_rows; i++)
        if (!rows[i].grouping && strcmp(rows[i].field[0], name) == 0)
            return &rows[i];
    return 0;
}

/* The variable that a row of `# grouping` has this opcode in; else the opcode itself. */
static const char *variable_of(const char *opcode)
{
    for (int i = 0; i < n_rows; i++)
        for (int k = 1; rows[i].grouping && k < rows[i].n; k++)
            if (strcmp(rows[i].field[k], opcode) == 0)
                return rows[i].field[0];
    return opcode;
}

/* ---- the write-backs ---- */

static void write_cycles(xmlNode *instruction)
{
    const struct row *r = row_of(text_of(instruction, "name"));
    xmlNode *performance = child(instruction, "Performance"), *pitch = child(performance, "Pitch"),
            *latency = child(performance, "Latency");
    static const char *const names[] = {"best", "typical", "worst"};
    if (!r || r->n < 4)
        return;
    xmlUnsetProp(pitch, (const xmlChar *)"best");
    xmlUnsetProp(pitch, (const xmlChar *)"worst");
    put(pitch, "typical", "0.0");
    for (int i = 0; i < 3; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.0f.0", strtod(r->field[i + 1], 0));
        put(latency, names[i], text);
    }
}

static void each(xmlNode *n, const char *name, void (*what)(xmlNode *))
{
    for (xmlNode *c = n->children; c; c = c->next) {
        if (is(c, name))
            what(c);
        else
            each(c, name, what);
    }
}

static void add_range(xmlNode *performance, const char *part, const struct row *r, const char *name)
{
    static const char *const names[] = {"typical", "best", "worst"};
    if (!r || r->n < 6)
        fail(strcmp(part, "Pitch") == 0 ? "no pitch" : "no latency", name);
    xmlNode *n = xmlNewChild(performance, 0, (const xmlChar *)part, 0);
    for (int i = 0; i < 3; i++)
        put_float(n, names[i], r->field[i + 3]);
}

static bool ends_in_d(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, "_d") == 0;
}

static void add_instruction(xmlNode *unit, const char *opcode)
{
    char *dependent = malloc(strlen(opcode) + 3);
    sprintf(dependent, "%s_d", opcode);
    const struct row *pitch = row_of(variable_of(opcode)), *latency = row_of(variable_of(dependent));
    xmlNode *i = xmlNewChild(unit, 0, (const xmlChar *)"Instruction", 0);
    put(i, "name", opcode);
    put(i, "operation", opcode);
    if (!pitch)
        fail("no pitch", opcode);
    put(i, "inputBitWidth", pitch->field[1]);
    put(i, "outputBitWidth", pitch->field[2]);
    xmlNode *performance = xmlNewChild(i, 0, (const xmlChar *)"Performance", 0);
    add_range(performance, "Pitch", pitch, opcode);
    add_range(performance, "Latency", latency, opcode);
    free(dependent);
}

static bool is_variable(const char *name)
{
    for (int i = 0; i < n_rows; i++)
        if (rows[i].grouping && strcmp(rows[i].field[0], name) == 0)
            return true;
    return false;
}

static void replace_units(xmlNode *set)
{
    while (set->children) {
        xmlNode *c = set->children;
        xmlUnlinkNode(c);
        xmlFreeNode(c);
    }
    xmlNode *unit = xmlNewChild(set, 0, (const xmlChar *)"FunctionalUnit", 0);
    put(unit, "name", "_ProcessorDefault");
    for (int i = 0; i < n_rows; i++) {
        for (int k = 1; rows[i].grouping && k < rows[i].n; k++)
            if (!ends_in_d(rows[i].field[k]))
                add_instruction(unit, rows[i].field[k]);
        if (!rows[i].grouping && !is_variable(rows[i].field[0]) && !ends_in_d(rows[i].field[0]))
            add_instruction(unit, rows[i].field[0]);
    }
}

int main(int argc, char **argv)
{
    bool table = argc == 5 && (strcmp(argv[1], "cycles") == 0 || strcmp(argv[1], "performance") == 0);
    if (!table && !(argc == 4 && (strcmp(argv[1], "api") == 0 || strcmp(argv[1], "memory") == 0)))
        fail("api IN OUT, memory IN OUT, cycles CSV IN OUT or performance CSV IN OUT", "usage");
    const char *in = argv[argc - 2], *out = argv[argc - 1];
    xmlDoc *d = xmlReadFile(in, 0, XML_PARSE_NONET | XML_PARSE_NOBLANKS | XML_PARSE_HUGE);
    if (!d)
        fail("cannot be read", in);
    const char *root = (const char *)xmlDocGetRootElement(d)->name;
    load_and_save(d, strcmp(root, "Shim") == 0 ? &schema2 : &schema1);
    if (table)
        read_table(argv[2]);
    if (strcmp(argv[1], "cycles") == 0)
        each(xmlDocGetRootElement(d), "Instruction", write_cycles);
    if (strcmp(argv[1], "performance") == 0)
        each(xmlDocGetRootElement(d), "FunctionalUnitSet", replace_units);
    if (xmlSaveFormatFileEnc(out, d, "UTF-8", 1) < 0)
        fail("cannot be written", out);
    xmlFreeDoc(d);
    for (int i = 0; i < n_rows; i++)
        for (int k = 0; k < rows[i].n; k++)
            free(rows[i].field[k]);
    return 0;
}
