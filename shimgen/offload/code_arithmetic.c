/* code_arithmetic.c - what instructions at addresses of executables and libraries calculate. */
#include "shimgen/offload/code_arithmetic.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shimgen/estimate/compiled/compiled_elf.h"

enum { LONGEST_INSTRUCTION = 15 };

struct object {
    struct elf elf;
    bool usable;
};
struct slot {
    uint64_t address;
    uint32_t object; /* 1 + number; 0: the slot is free */
    bool known;
    struct arithmetic does;
};
struct code_arithmetic {
    struct arithmetic_decoder *decoder;
    struct map paths;
    VEC(struct object) objects;
    struct slot *slots;
    size_t n_slots, used; /* n_slots: a power of two */
    time_t ran;
};

struct code_arithmetic *code_arithmetic_new(time_t ran)
{
    struct code_arithmetic *c = xcalloc(1, sizeof *c);
    c->decoder = arithmetic_decoder_new();
    c->n_slots = 1024;
    c->slots = xcalloc(c->n_slots, sizeof *c->slots);
    c->ran = ran;
    return c;
}

void code_arithmetic_free(struct code_arithmetic *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->objects.n; i++)
        elf_release(&c->objects.at[i].elf);
    vec_release(&c->objects);
    map_release(&c->paths);
    arithmetic_decoder_free(c->decoder);
    free(c->slots);
    free(c);
}

static bool is_x86_64(const struct elf *f)
{
    const char *bytes = str_text(&f->bytes);
    uint16_t machine = 0;
    if (f->bytes.len < sizeof(Elf64_Ehdr))
        return false;
    memcpy(&machine, bytes + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    return machine == EM_X86_64;
}

static bool as_it_ran(const char *path, time_t ran)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_mtime <= ran;
}

uint32_t code_arithmetic_object(struct code_arithmetic *c, const char *path)
{
    size_t n = c->paths.n, number = map_number(&c->paths, path);
    if (number < n)
        return (uint32_t)number;
    struct object o = {.usable = false};
    struct error ignored = ERROR_INIT;
    if (c->decoder && as_it_ran(path, c->ran))
        o.usable = elf_read(&o.elf, path, &ignored) == OK && is_x86_64(&o.elf);
    vec_push(&c->objects, o);
    return (uint32_t)number;
}

static size_t place(const struct code_arithmetic *c, uint32_t object, uint64_t address)
{
    size_t mask = c->n_slots - 1;
    size_t at = (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 20 ^ object) & mask;
    while (c->slots[at].object && (c->slots[at].object != object + 1 || c->slots[at].address != address))
        at = (at + 1) & mask;
    return at;
}

static void grow(struct code_arithmetic *c)
{
    struct slot *old = c->slots;
    size_t n = c->n_slots;
    c->n_slots = 2 * n;
    c->slots = xcalloc(c->n_slots, sizeof *c->slots);
    for (size_t i = 0; i < n; i++)
        if (old[i].object)
            c->slots[place(c, old[i].object - 1, old[i].address)] = old[i];
    free(old);
}

static bool decode(struct arithmetic *out, const struct code_arithmetic *c, uint32_t object, uint64_t address)
{
    const struct object *o = &c->objects.at[object];
    for (size_t size = LONGEST_INSTRUCTION; o->usable && size > 0; size--) {
        const uint8_t *code = elf_bytes(&o->elf, address, size);
        if (code)
            return arithmetic_decode(out, c->decoder, code, size, address);
    }
    return false;
}

bool code_arithmetic_at(struct arithmetic *out, struct code_arithmetic *c, uint32_t object, uint64_t address)
{
    size_t at = place(c, object, address);
    if (!c->slots[at].object) {
        if (2 * ++c->used > c->n_slots) {
            grow(c);
            at = place(c, object, address);
        }
        c->slots[at] = (struct slot){.address = address, .object = object + 1};
        c->slots[at].known = decode(&c->slots[at].does, c, object, address);
    }
    *out = c->slots[at].does;
    return c->slots[at].known;
}
