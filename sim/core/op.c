/* op.c - names of classes and needs, and the list of decoders. */
#include "sim/core/op.h"

#include <string.h>

const char *const iss_class_names[ISS_CLASS_N] = {
#define X(id, name) [ISS_##id] = (name),
    ISS_CLASSES(X)
#undef X
};
const char *const iss_need_names[ISS_NEED_N] = {
#define X(id, name) [ISS_NEED_##id] = (name),
    ISS_NEEDS(X)
#undef X
};

const struct iss_decoder *iss_decoder_find(const char *architecture)
{
    static const struct iss_decoder *const all[] = {&iss_decode_aarch64, &iss_decode_riscv64, &iss_decode_thumb,
                                                    &iss_decode_x86_64};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->architecture, architecture) == 0)
            return all[i];
    return 0;
}
