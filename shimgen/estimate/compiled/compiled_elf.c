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

/* "irprof.b.0.12.3" */
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

static void add_symbols(const struct elf *f, Elf_Scn *section, const GElf_Shdr *table, functions *to, labels *names)
{
    Elf_Data *data = elf_getdata(section, 0);
    GElf_Sym s;
    for (int i = 0; data && gelf_getsym(data, i, &s); i++) {
        const char *name = elf_strptr(f->file, table->sh_link, s.st_name);
        unsigned type = GELF_ST_TYPE(s.st_info);
        if (!name || s.st_shndx == SHN_UNDEF)
            continue;
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && s.st_size)
            vec_push(to, (struct elf_function){s.st_value, s.st_size, xstrdup(name), type == STT_GNU_IFUNC});
        else if (type == STT_NOTYPE)
            add_label(names, name, s.st_value);
    }
}

typedef VEC(struct elf_choice) choices;

static void add_choices(Elf_Scn *section, uint32_t irelative, choices *to)
{
    Elf_Data *data = elf_getdata(section, 0);
    GElf_Rela r;
    for (int i = 0; irelative && data && gelf_getrela(data, i, &r); i++)
        if (GELF_R_TYPE(r.r_info) == irelative)
            vec_push(to, (struct elf_choice){r.r_offset, (uint64_t)r.r_addend});
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

enum status elf_read(struct elf *out, const char *path, struct error *e)
{
    *out = (struct elf){0};
    enum status s = file_read(&out->bytes, path, FILE_LIMIT, e);
    if (s)
        return s;
    GElf_Ehdr h;
    elf_version(EV_CURRENT);
    out->file = elf_memory(out->bytes.s, out->bytes.len);
    if (!out->file || gelf_getclass(out->file) != ELFCLASS64 || !gelf_getehdr(out->file, &h) ||
        h.e_ident[EI_DATA] != ELFDATA2LSB)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not an executable of a 64-bit little-endian target");
    functions list = {0};
    labels names = {0};
    choices chosen = {0};
    for (Elf_Scn *section = 0; (section = elf_nextscn(out->file, section));) {
        GElf_Shdr table;
        if (gelf_getshdr(section, &table) && table.sh_type == SHT_SYMTAB)
            add_symbols(out, section, &table, &list, &names);
        else if (gelf_getshdr(section, &table) && table.sh_type == SHT_RELA)
            add_choices(section, target_of_elf(h.e_machine, 64)->irelative, &chosen);
    }
    out->choices = chosen.at;
    out->n_choices = chosen.n;
    out->functions = list.at;
    out->n_functions = list.n;
    out->labels = names.at;
    out->n_labels = names.n;
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_address);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, by_place);
    return OK;
}

void elf_release(struct elf *f)
{
    for (size_t i = 0; i < f->n_functions; i++)
        free(f->functions[i].name);
    free(f->functions);
    free(f->labels);
    free(f->choices);
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

/* "__memcpy_generic" is one of memcpy's. The plain one is best, then the one for vectors, which all cores have; what
 * needs an extension comes last, and "_ifunc" is the resolver itself. */
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

/* Of all functions in the file; NULL: none is one of the name's. */
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
