/* unpack.h - reads through gzip and bzip2: bytes of whatever source, unpacked if their beginning says that they are
 * packed. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_UNPACK_H
#define SHIMXML_DOCUMENT_UNPACK_H

#include <stddef.h>

/* Gives up to n bytes of the source; 0: its end; -1: it cannot be read. */
typedef long unpack_source(void *user, char *out, size_t n);

/* What a file's first bytes are the mark of. */
enum packing { PACKED_NOT, PACKED_GZIP, PACKED_BZIP2, PACKED_XZ, PACKED_ZSTD, PACKED_ZIP };
enum { PACKING_MARK = 6 }; /* bytes that tell it */
enum packing packing_of(const char *head, size_t n);
const char *packing_name(enum packing p); /* "gzip"; static */

struct unpack;
/* Of GZIP or BZIP2; `head`, n <= PACKING_MARK bytes, was read from the source before. Free with unpack_free. */
struct unpack *unpack_new(enum packing p, unpack_source *source, void *user, const char *head, size_t n);
/* As the source; of several packed files one after the other, all of them. -1: the source cannot be read, or unpack_fault. */
long unpack_read(struct unpack *u, char *out, size_t n);
/* What is wrong with the packed bytes, "damaged gzip data"; NULL: nothing. Static. */
const char *unpack_fault(const struct unpack *u);
void unpack_free(struct unpack *u);

#endif
