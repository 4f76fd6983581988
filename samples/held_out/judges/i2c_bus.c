/*
 * i2c_bus - a memory of 256 bytes is written and read over two wires, bit by bit: the master sets clock and data as a
 * driver without hardware does, the slave's state machine looks at each edge. Lines are volatile, open drain.
 *
 * The truth: the memory's bytes are those written, and those read are the memory's.
 *
 * Work: 96 bytes are written and read, 9 clocks each, at each two edges of the slave's machine with a load of either
 * line: 192 * 9 * 2 * 2 = 6912.
 */
#include "judge.h"

#define ADDRESS 0x50
#define PAGE    8
#define BYTES   96

static volatile uint8_t sda_master, sda_slave, scl;
static uint8_t memory[256], data[BYTES], back[BYTES];
static unsigned refused;

enum phase { RESTING, ADDRESSED, POINTER, WRITING, READING };
static struct {
    uint8_t clock, line, phase, shift, count, pointer, out, driving;
} slave;

static uint8_t sda(void)
{
    return sda_master & sda_slave;
}

static void slave_byte(void)
{
    slave.driving = 1;
    switch (slave.phase) {
    case ADDRESSED:
        if (slave.shift >> 1 != ADDRESS) {
            slave.phase = RESTING;
            slave.driving = 0;
        } else if (slave.shift & 1) {
            slave.phase = READING;
            slave.out = memory[slave.pointer++];
        } else
            slave.phase = POINTER;
        break;
    case POINTER:
        slave.pointer = slave.shift;
        slave.phase = WRITING;
        break;
    case WRITING:
        memory[slave.pointer] = slave.shift;
        slave.pointer = (uint8_t)((slave.pointer & ~(PAGE - 1)) | ((slave.pointer + 1) & (PAGE - 1)));
        break;
    default:
        slave.driving = 0;
    }
    sda_slave = !slave.driving;
}

static void slave_falls(void)
{
    if (slave.phase == RESTING)
        return;
    if (slave.count == 8 && (slave.phase != READING)) {
        slave.count = 9;
        slave_byte();
        return;
    }
    if (slave.count >= 8 && slave.phase == READING && slave.count == 8) {
        sda_slave = 1; /* the master's acknowledgement */
        slave.count = 10;
        return;
    }
    if (slave.count == 10) {
        slave.out = memory[slave.pointer++];
        slave.count = 0;
    } else if (slave.count == 9)
        slave.count = 0;
    if (slave.phase == READING) {
        sda_slave = slave.out >> 7;
        slave.out = (uint8_t)(slave.out << 1);
    } else
        sda_slave = 1;
}

static void slave_look(void)
{
    uint8_t clock = scl, line = sda();

    if (clock && slave.clock && line != slave.line) { /* start or stop */
        slave.phase = line ? RESTING : ADDRESSED;
        slave.count = 0;
        sda_slave = 1;
    } else if (clock && !slave.clock) {
        if (slave.count < 8) {
            slave.shift = (uint8_t)(slave.shift << 1 | line);
            slave.count++;
        } else if (slave.count == 10 && line)
            slave.phase = RESTING;
    } else if (!clock && slave.clock)
        slave_falls();
    slave.clock = clock;
    slave.line = sda();
}

static void set_lines(uint8_t clock, uint8_t line)
{
    sda_master = line;
    slave_look();
    scl = clock;
    slave_look();
}
static void start(void)
{
    set_lines(0, 1);
    set_lines(1, 1);
    set_lines(1, 0);
    set_lines(0, 0);
}
static void stop(void)
{
    set_lines(0, 0);
    set_lines(1, 0);
    set_lines(1, 1);
}
static uint8_t clock_bit(uint8_t line)
{
    uint8_t seen;

    set_lines(0, line);
    set_lines(1, line);
    seen = sda();
    set_lines(0, line);
    return seen;
}
static void master_write(uint8_t byte)
{
    for (int i = 7; i >= 0; i--)
        clock_bit(byte >> i & 1);
    refused += clock_bit(1);
}
static uint8_t master_read(uint8_t last)
{
    uint8_t byte = 0;

    for (int i = 0; i < 8; i++)
        byte = (uint8_t)(byte << 1 | clock_bit(1));
    clock_bit(last);
    return byte;
}

static void work(void)
{
    for (uint8_t at = 0; at < BYTES; at += PAGE) {
        start();
        master_write(ADDRESS << 1);
        master_write((uint8_t)(32 + at));
        for (int i = 0; i < PAGE; i++)
            master_write(data[at + i]);
        stop();
    }
    start();
    master_write(ADDRESS << 1);
    master_write(32);
    start();
    master_write(ADDRESS << 1 | 1);
    for (int i = 0; i < BYTES; i++)
        back[i] = master_read(i == BYTES - 1);
    stop();
}

int main(void)
{
    uint64_t seed = 5;

    for (int i = 0; i < BYTES; i++)
        data[i] = (uint8_t)draw(&seed);
    memset(memory, 0xFF, sizeof memory);
    memset(back, 0, sizeof back);
    memset(&slave, 0, sizeof slave);
    sda_master = sda_slave = scl = slave.clock = slave.line = 1;
    refused = 0;
    SHIM_KEEP(data);
    shim_region_begin("i2c_bus");
    work();
    SHIM_KEEP(back);
    shim_region_end("i2c_bus");
    return sample_verdict_int("not acknowledged", refused, 0) |
           sample_verdict_int("memory differs", memcmp(memory + 32, data, BYTES) != 0, 0) |
           sample_verdict_int("what was read differs", memcmp(back, data, BYTES) != 0, 0) |
           sample_verdict_int("a byte beyond", memory[32 + BYTES], 0xFF);
}
