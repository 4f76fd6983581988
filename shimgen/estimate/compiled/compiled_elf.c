/* compiled_elf.c - reads functions, labels and bytes of a target's ELF executable. */
#include "shimgen/estimate/compiled/compiled_elf.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/target.h"
#include "shimgen/estimate/compiled/compiled_text.h"

typedef VEC(struct elf_function) functions;
typedef VEC(struct elf_label) labels;
typedef VEC(struct elf_mapping) mappings;
typedef VEC(struct elf_choice) choices;

/* What has been found while sections are read. */
struct reading {
    const struct elf *elf;
    unsigned machine;
    uint32_t irelative;
    functions functions;
    labels labels;
    mappings mappings;
    choices choices;
};

/* Takes "irprof.b.0.12.3". */
static void add_label(labels *to, const char *name, uint64_t address)
{
    static const struct {
        const char *prefix;
        enum elf_label_kind kind;
    } kinds[] = {
        {COMPILED_BLOCK, ELF_LABEL_BLOCK}, {COMPILED_TARGET, ELF_LABEL_TARGET}, {COMPILED_PLACE, ELF_LABEL_PLACE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].prefix);
        if (strncmp(name, kinds[i].prefix, n) != 0)
            continue;
        char *end;
        struct elf_label l = {.address = address, .kind = kinds[i].kind};
        l.module = (uint32_t)strtoul(name + n, &end, 10);
        l.order = *end == '.' ? strtoull(end + 1, &end, 10) : 0;
        l.number = *end == '.' && end[1] != 'x' ? (uint32_t)strtoul(end + 1, 0, 10) : ELF_NO_BLOCK;
        vec_push(to, l);
    }
}

/* Takes "$t" or "$d.12". */
static void add_mapping(mappings *to, const char *name, uint64_t address)
{
    static const char letters[] = "tda";
    const char *letter = name[0] == '$' && name[1] ? strchr(letters, name[1]) : 0;
    if (letter && (!name[2] || name[2] == '.'))
        vec_push(to, (struct elf_mapping){address, (enum elf_content)(letter - letters)});
}

static void add_symbols(struct reading *r, Elf_Scn *section, const GElf_Shdr *table)
{
    Elf_Data *data = elf_getdata(section, 0);
    const uint64_t thumb = r->machine == EM_ARM;
    GElf_Sym s;
    for (int i = 0; data && gelf_getsym(data, i, &s); i++) {
        const char *name = elf_strptr(r->elf->file, table->sh_link, s.st_name);
        unsigned type = GELF_ST_TYPE(s.st_info);
        if (!name || s.st_shndx == SHN_UNDEF)
            continue;
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && s.st_size)
            vec_push(&r->functions,
                     (struct elf_function){s.st_value & ~thumb, s.st_size, xstrdup(name), type == STT_GNU_IFUNC});
        else if (type == STT_NOTYPE && thumb && *name == '$')
            add_mapping(&r->mappings, name, s.st_value);
        else if (type == STT_NOTYPE)
            add_label(&r->labels, name, s.st_value);
    }
}

static void add_choices(struct reading *r, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, 0);
    GElf_Rela a;
    for (int i = 0; r->irelative && data && gelf_getrela(data, i, &a); i++)
        if (GELF_R_TYPE(a.r_info) == r->irelative)
            vec_push(&r->choices, (struct elf_choice){a.r_offset, (uint64_t)a.r_addend});
}

/* Relocations without addends: the addends are the words themselves. */
static void add_choices_in_place(struct reading *r, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, 0);
    const uint64_t thumb = r->machine == EM_ARM;
    GElf_Rel a;
    for (int i = 0; r->irelative && data && gelf_getrel(data, i, &a); i++) {
        uint32_t resolver;
        const uint8_t *word = elf_bytes(r->elf, a.r_offset, sizeof resolver);
        if (GELF_R_TYPE(a.r_info) != r->irelative || !word)
            continue;
        memcpy(&resolver, word, sizeof resolver);
        vec_push(&r->choices, (struct elf_choice){a.r_offset, resolver & ~thumb});
    }
}

static int by_address(const void *a, const void *b)
{
    const struct elf_function *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_place(const void *a, const void *b)
{
    const struct elf_label *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Of two at the same address the last one counts. It is code, since the constants have no bytes. */
static int by_mapping(const void *a, const void *b)
{
    const struct elf_mapping *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (int)y->content - (int)x->content;
}

static void take_over(struct elf *out, struct reading *r)
{
    out->choices = r->choices.at;
    out->n_choices = r->choices.n;
    out->functions = r->functions.at;
    out->n_functions = r->functions.n;
    out->labels = r->labels.at;
    out->n_labels = r->labels.n;
    out->mappings = r->mappings.at;
    out->n_mappings = r->mappings.n;
    if (out->n_functions)
        qsort(out->functions, out->n_functions, sizeof *out->functions, by_address);
    if (out->n_labels)
        qsort(out->labels, out->n_labels, sizeof *out->labels, by_place);
    if (out->n_mappings)
        qsort(out->mappings, out->n_mappings, sizeof *out->mappings, by_mapping);
}

enum status elf_read(struct elf *out, const char *path, struct error *e)
{
    *out = (struct elf){0};
    enum status s = file_read(&out->bytes, path, FILE_LIMIT, e);
    if (s)
        return s;
    GElf_Ehdr h;
    elf_version(EV_CURRENT);
    out->file = elf_memory(out->bytes.s, out->bytes.len);
    if (!out->file || !gelf_getehdr(out->file, &h) || h.e_ident[EI_DATA] != ELFDATA2LSB)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not an executable of a little-endian target");
    const unsigned bits = gelf_getclass(out->file) == ELFCLASS64 ? 64 : 32;
    struct reading r = {.elf = out, .machine = h.e_machine, .irelative = target_of_elf(h.e_machine, bits)->irelative};
    for (Elf_Scn *section = 0; (section = elf_nextscn(out->file, section));) {
        GElf_Shdr table;
        if (!gelf_getshdr(section, &table))
            continue;
        if (table.sh_type == SHT_SYMTAB)
            add_symbols(&r, section, &table);
        else if (table.sh_type == SHT_RELA)
            add_choices(&r, section);
        else if (table.sh_type == SHT_REL)
            add_choices_in_place(&r, section);
    }
    take_over(out, &r);
    return OK;
}

void elf_release(struct elf *f)
{
    for (size_t i = 0; i < f->n_functions; i++)
        free(f->functions[i].name);
    free(f->functions);
    free(f->labels);
    free(f->choices);
    free(f->mappings);
    elf_end(f->file);
    str_release(&f->bytes);
    *f = (struct elf){0};
}

const uint8_t *elf_bytes(const struct elf *f, uint64_t address, uint64_t size)
{
    size_t n = 0;
    if (!f->file || elf_getphdrnum(f->file, &n))
        return 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(f->file, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
            address - p.p_vaddr > p.p_filesz || size > p.p_filesz - (address - p.p_vaddr))
            continue;
        uint64_t offset = p.p_offset + (address - p.p_vaddr);
        return offset <= f->bytes.len && size <= f->bytes.len - offset ? (const uint8_t *)f->bytes.s + offset : 0;
    }
    return 0;
}

size_t elf_first(const void *things, size_t n, size_t size, uint64_t address)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint64_t *at = (const void *)((const char *)things + middle * size);
        if (*at < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum elf_content elf_content_at(const struct elf *f, uint64_t address, uint64_t limit, uint64_t *end)
{
    size_t next = elf_first(f->mappings, f->n_mappings, sizeof *f->mappings, address + 1);
    *end = next < f->n_mappings && f->mappings[next].address < limit ? f->mappings[next].address : limit;
    return next ? f->mappings[next - 1].content : ELF_CODE;
}

const struct elf_function *elf_function_at(const struct elf *f, uint64_t address)
{
    for (size_t i = elf_first(f->functions, f->n_functions, sizeof *f->functions, address + 1); i-- > 0;) {
        const struct elf_function *at = &f->functions[i];
        if (address < at->address + at->size)
            return at;
        if (address - at->address > (UINT64_C(1) << 20))
            break;
    }
    return 0;
}

/* How well a function of the file stands for a library function, as "__memcpy_generic" does for memcpy. The plain one
 * is best, then one for vectors, which all cores have. Functions that need an extension come last. "_ifunc" is the
 * resolver itself. */
static int rank(const char *own, const char *name)
{
    static const char *const order[] = {"generic", "asimd", "noalignment"};
    size_t n = strlen(name);
    if (strncmp(own, "__", 2) != 0 || strncmp(own + 2, name, n) != 0 || own[n + 2] != '_' ||
        strcmp(own + n + 3, "ifunc") == 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (strcmp(own + n + 3, order[i]) == 0)
            return 4 - i;
    return 1;
}

/* The best one among all functions of the file; NULL: none matches the name. */
static const struct elf_function *best_of(const struct elf *f, const char *name, int *best)
{
    const struct elf_function *found = 0;
    for (size_t i = 0; i < f->n_functions; i++)
        if (rank(f->functions[i].name, name) > *best) {
            *best = rank(f->functions[i].name, name);
            found = &f->functions[i];
        }
    return found;
}

const struct elf_function *elf_code(const struct elf *f, const struct elf_function *symbol)
{
    const struct elf_function *end = f->functions + f->n_functions, *found = 0;
    bool resolver = false;
    int best = 0;
    for (const struct elf_function *s = symbol; s < end && s->address == symbol->address; s++)
        resolver |= s->resolver;
    for (const struct elf_function *s = symbol; resolver && s < end && s->address == symbol->address; s++) {
        const struct elf_function *other = best_of(f, s->name, &best);
        found = other ? other : found;
    }
    return resolver ? found : symbol;
}

/* Several names may stand for one resolver: memcpy, __GI_memcpy. */
const struct elf_function *elf_chosen(const struct elf *f, uint64_t slot)
{
    const struct elf_function *found = 0;
    for (size_t i = 0; i < f->n_choices; i++)
        for (size_t k = 0; f->choices[i].slot == slot && k < f->n_functions && !found; k++)
            if (f->functions[k].address == f->choices[i].resolver)
                found = &f->functions[k];
    return found;
}
