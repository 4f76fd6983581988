/* compiled_elf.c - reads functions, labels and bytes of a target's ELF executable. */
#include "shimgen/estimate/compiled/compiled_elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/target.h"
#include "shimgen/estimate/compiled/compiled_text.h"

/* A part of the file; NULL: it is not all there. */
static const void *piece(const struct elf *f, uint64_t offset, uint64_t n)
{
    return offset <= f->bytes.len && n <= f->bytes.len - offset ? str_text(&f->bytes) + offset : 0;
}

/* Copies, because nothing in a file is aligned for sure. */
static bool header(const struct elf *f, uint64_t offset, void *to, size_t n)
{
    const void *from = piece(f, offset, n);
    if (from)
        memcpy(to, from, n);
    return from != 0;
}

static bool section(const struct elf *f, const Elf64_Ehdr *h, uint64_t i, Elf64_Shdr *to)
{
    return i < h->e_shnum && header(f, h->e_shoff + i * sizeof *to, to, sizeof *to);
}

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

static void add_symbols(const struct elf *f, const Elf64_Ehdr *h, const Elf64_Shdr *table, functions *to, labels *names)
{
    Elf64_Shdr text;
    if (!section(f, h, table->sh_link, &text) || !piece(f, text.sh_offset, text.sh_size) || !text.sh_size)
        return;
    const char *strings = piece(f, text.sh_offset, text.sh_size);
    if (strings[text.sh_size - 1])
        return;
    for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym s;
        if (!header(f, table->sh_offset + i * sizeof s, &s, sizeof s) || s.st_name >= text.sh_size ||
            s.st_shndx == SHN_UNDEF)
            continue;
        const char *name = strings + s.st_name;
        unsigned type = ELF64_ST_TYPE(s.st_info);
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && s.st_size)
            vec_push(to, (struct elf_function){xstrdup(name), s.st_value, s.st_size, type == STT_GNU_IFUNC});
        else if (type == STT_NOTYPE)
            add_label(names, name, s.st_value);
    }
}

typedef VEC(struct elf_choice) choices;

static void add_choices(const struct elf *f, const Elf64_Ehdr *h, const Elf64_Shdr *table, choices *to)
{
    uint32_t irelative = target_of_elf(h->e_machine, 64)->irelative;
    for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        if (!header(f, table->sh_offset + i * sizeof r, &r, sizeof r))
            continue;
        if (irelative && ELF64_R_TYPE(r.r_info) == irelative)
            vec_push(to, (struct elf_choice){r.r_offset, (uint64_t)r.r_addend});
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

enum status elf_read(struct elf *out, const char *path, struct error *e)
{
    *out = (struct elf){0};
    enum status s = file_read(&out->bytes, path, FILE_LIMIT, e);
    if (s)
        return s;
    Elf64_Ehdr h;
    if (!header(out, 0, &h, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
        h.e_ident[EI_DATA] != ELFDATA2LSB)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not an executable of a 64-bit little-endian target");
    functions list = {0};
    labels names = {0};
    choices chosen = {0};
    for (uint64_t i = 0; i < h.e_shnum; i++) {
        Elf64_Shdr table;
        if (section(out, &h, i, &table) && table.sh_type == SHT_SYMTAB)
            add_symbols(out, &h, &table, &list, &names);
        else if (section(out, &h, i, &table) && table.sh_type == SHT_RELA)
            add_choices(out, &h, &table, &chosen);
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
    str_release(&f->bytes);
    *f = (struct elf){0};
}

const uint8_t *elf_bytes(const struct elf *f, uint64_t address, uint64_t size)
{
    Elf64_Ehdr h;
    if (!header(f, 0, &h, sizeof h))
        return 0;
    for (uint64_t i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr p;
        if (!header(f, h.e_phoff + i * sizeof p, &p, sizeof p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
            address - p.p_vaddr > p.p_filesz || size > p.p_filesz - (address - p.p_vaddr))
            continue;
        return piece(f, p.p_offset + (address - p.p_vaddr), size);
    }
    return 0;
}

const struct elf_function *elf_function_at(const struct elf *f, uint64_t address)
{
    size_t low = 0, high = f->n_functions;
    while (low < high) { /* the first behind it */
        size_t middle = low + (high - low) / 2;
        if (f->functions[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0) {
        const struct elf_function *at = &f->functions[low];
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
