/*
 * modbus - a Modbus RTU device answers 150 requests that arrive byte by byte: read and write holding registers, coils,
 * and requests that it has to refuse.
 *
 * "MODBUS Application Protocol Specification" 1.1b3 and "MODBUS over Serial Line" 1.02; the CRC is that of polynomial
 * 0xa001, low byte first. The truth: the specification's own example of a frame's checks; the registers after all the
 * writes; and that each answer has the remainder 0.
 *
 * Work: each of the requests' bytes is loaded, kept and goes through the CRC (exclusive or, look-up), at least 8 bytes
 * a request, and an answer has at least 5: 150 * (8 * 4 + 5 * 3) = 7050.
 */
#include "../sample.h"
#include "lcg.h"

#define REQUESTS  150
#define REGISTERS 64
#define COILS     64
#define LONGEST   80
#define DEVICE    0x11

enum function { READ_COILS = 1, READ_REGISTERS = 3, WRITE_COIL = 5, WRITE_REGISTER = 6, WRITE_REGISTERS = 16 };
enum { BAD_FUNCTION = 1, BAD_ADDRESS = 2, BAD_VALUE = 3 };

struct frame {
    uint8_t bytes[LONGEST];
    int length;
};

static uint16_t crc_table[256];
static uint16_t registers[REGISTERS], expected[REGISTERS];
static uint8_t coils[COILS / 8];
static struct frame requests[REQUESTS], answers[REQUESTS];

static uint16_t crc(const uint8_t *bytes, int length)
{
    uint16_t sum = 0xffff;

    for (int i = 0; i < length; i++)
        sum = (uint16_t)(sum >> 8 ^ crc_table[(sum ^ bytes[i]) & 0xff]);
    return sum;
}

static unsigned word_at(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static void put_byte(struct frame *frame, unsigned byte)
{
    frame->bytes[frame->length++] = (uint8_t)byte;
}

static void put_word(struct frame *frame, unsigned word)
{
    put_byte(frame, word >> 8);
    put_byte(frame, word & 0xff);
}

static void close_frame(struct frame *frame)
{
    unsigned sum = crc(frame->bytes, frame->length);

    put_byte(frame, sum & 0xff);
    put_byte(frame, sum >> 8);
}

static int read_coils(unsigned address, unsigned count, struct frame *answer)
{
    if (count == 0 || count > COILS)
        return BAD_VALUE;
    if (address + count > COILS)
        return BAD_ADDRESS;
    put_byte(answer, (count + 7) / 8);
    for (unsigned done = 0; done < count; done += 8) {
        unsigned byte = 0;

        for (unsigned i = 0; i < 8 && done + i < count; i++) {
            unsigned coil = address + done + i;

            byte |= (unsigned)(coils[coil / 8] >> coil % 8 & 1) << i;
        }
        put_byte(answer, byte);
    }
    return 0;
}

static int read_registers(unsigned address, unsigned count, struct frame *answer)
{
    if (count == 0 || count > 32)
        return BAD_VALUE;
    if (address + count > REGISTERS)
        return BAD_ADDRESS;
    put_byte(answer, 2 * count);
    for (unsigned i = 0; i < count; i++)
        put_word(answer, registers[address + i]);
    return 0;
}

static int write_coil(unsigned address, unsigned value, struct frame *answer)
{
    if (value != 0 && value != 0xff00)
        return BAD_VALUE;
    if (address >= COILS)
        return BAD_ADDRESS;
    if (value)
        coils[address / 8] |= (uint8_t)(1U << address % 8);
    else
        coils[address / 8] &= (uint8_t) ~(1U << address % 8);
    put_word(answer, address);
    put_word(answer, value);
    return 0;
}

static int write_registers(const uint8_t *body, unsigned address, unsigned count, struct frame *answer)
{
    if (count == 0 || count > 32 || body[4] != 2 * count)
        return BAD_VALUE;
    if (address + count > REGISTERS)
        return BAD_ADDRESS;
    for (unsigned i = 0; i < count; i++)
        registers[address + i] = (uint16_t)word_at(body + 5 + 2 * i);
    put_word(answer, address);
    put_word(answer, count);
    return 0;
}

static int carry_out(unsigned function, const uint8_t *body, struct frame *answer)
{
    unsigned address = word_at(body), value = word_at(body + 2);

    switch (function) {
    case READ_COILS:
        return read_coils(address, value, answer);
    case READ_REGISTERS:
        return read_registers(address, value, answer);
    case WRITE_COIL:
        return write_coil(address, value, answer);
    case WRITE_REGISTER:
        if (address >= REGISTERS)
            return BAD_ADDRESS;
        registers[address] = (uint16_t)value;
        put_word(answer, address);
        put_word(answer, value);
        return 0;
    case WRITE_REGISTERS:
        return write_registers(body, address, value, answer);
    default:
        return BAD_FUNCTION;
    }
}

/* Nothing is answered to a frame for others, or a damaged one. */
static void serve(const struct frame *line, struct frame *answer)
{
    struct frame request;
    int refusal;

    for (request.length = 0; request.length < line->length; request.length++)
        request.bytes[request.length] = line->bytes[request.length];
    answer->length = 0;
    if (request.length < 8 || request.bytes[0] != DEVICE || crc(request.bytes, request.length) != 0)
        return;
    put_byte(answer, DEVICE);
    put_byte(answer, request.bytes[1]);
    refusal = carry_out(request.bytes[1], request.bytes + 2, answer);
    if (refusal) {
        answer->length = 1;
        put_byte(answer, request.bytes[1] | 0x80U);
        put_byte(answer, (unsigned)refusal);
    }
    close_frame(answer);
}

static void make_request(struct frame *request, int number, uint32_t *seed)
{
    static const uint8_t kinds[] = {READ_COILS, READ_REGISTERS, WRITE_COIL, WRITE_REGISTER, WRITE_REGISTERS, 0x63};
    unsigned function = kinds[number % 6], address = lcg_draw(seed) % (REGISTERS - 8), count = 1 + lcg_draw(seed) % 8;

    request->length = 0;
    put_byte(request, DEVICE);
    put_byte(request, function);
    put_word(request, address);
    switch (function) {
    case WRITE_COIL:
        put_word(request, count % 2 ? 0xff00 : 0);
        break;
    case WRITE_REGISTER:
        expected[address] = (uint16_t)lcg_draw(seed);
        put_word(request, expected[address]);
        break;
    case WRITE_REGISTERS:
        put_word(request, count);
        put_byte(request, 2 * count);
        for (unsigned i = 0; i < count; i++) {
            expected[address + i] = (uint16_t)lcg_draw(seed);
            put_word(request, expected[address + i]);
        }
        break;
    default:
        put_word(request, count);
    }
    close_frame(request);
}

static void prepare(void)
{
    uint32_t seed = 16;

    for (unsigned value = 0; value < 256; value++) {
        crc_table[value] = (uint16_t)value;
        for (int bit = 0; bit < 8; bit++)
            crc_table[value] =
                (uint16_t)(crc_table[value] & 1 ? crc_table[value] >> 1 ^ 0xa001 : crc_table[value] >> 1);
    }
    memset(registers, 0, sizeof registers);
    memset(expected, 0, sizeof expected);
    memset(coils, 0, sizeof coils);
    for (int i = 0; i < REQUESTS; i++)
        make_request(&requests[i], i, &seed);
    SHIM_KEEP(crc_table);
    SHIM_KEEP(registers);
    SHIM_KEEP(coils);
    SHIM_KEEP(requests);
}

int main(void)
{
    /* "MODBUS over Serial Line", 6.2.2: the CRC of 02 07 is 0x1241, sent as 41 12. */
    static const uint8_t example[] = {0x02, 0x07};
    int refused = 0;

    prepare();
    shim_region_begin("modbus");
    for (int i = 0; i < REQUESTS; i++)
        serve(&requests[i], &answers[i]);
    SHIM_KEEP(registers);
    SHIM_KEEP(answers);
    shim_region_end("modbus");
    for (int i = 0; i < REQUESTS; i++) {
        if (sample_verdict_int("remainder of an answer", crc(answers[i].bytes, answers[i].length), 0))
            return 1;
        refused += answers[i].bytes[1] >> 7;
    }
    return sample_verdict_int("CRC of the example", crc(example, 2), 0x1241) |
           sample_verdict_int("refused", refused, REQUESTS / 6) |
           sample_verdict_int("difference of registers", memcmp(registers, expected, sizeof expected) != 0, 0);
}
