# Writes a raw file of stamps as docs/formats/stamps.md has it: two ticks a nanosecond, from 1000.
import struct, sys
def chunk(kind, body): return struct.pack('<II', kind, len(body)) + body
def start(freq=0, ticks=1000, ns=5000): return chunk(1, struct.pack('<QQQQQII', ticks, ns, freq, 40500, 4, 0, 77) + b'/bin/prog')
def module(first, lines, rest=()): return chunk(2, struct.pack('<II', first, len(lines)) + ''.join(l + '\n' for l in list(lines) + list(rest)).encode())
def thread(number, records, lost=0, ended=1, ticks=0, ns=0, cpu=0):
    return chunk(3, struct.pack('<QQQIIII', ticks, ns, lost, number, 100 + number, cpu, ended) + b''.join(struct.pack('<QII', *r) for r in records))
def end(ticks=3000, ns=6000, signal=0, threads=2): return chunk(4, struct.pack('<QQII', ticks, ns, signal, threads))
def results(name, fmt, values): return chunk(5, struct.pack('<II', struct.calcsize(fmt), len(name)) + name.encode() + b''.join(struct.pack('<' + fmt, v) for v in values))
def name(point, text): return chunk(6, struct.pack('<II', point, 0) + text.encode())
MAGIC = b'irprof stamps 1\n'
F = ['begin\tadd\tfunction f\tf\t/src/f.c\t3', 'end\tadd\tfunction f\tf\t/src/f.c\t3', 'mark\tadd\titeration f.c:5\tf\t/src/f.c\t5']
N = 0xffffffff
if __name__ == '__main__':
    whole = MAGIC + start() + module(0, F, ['found\tfunction:f', 'missing\tfunction:g']) + name(0x40000000, 'done, "all"') + \
        thread(2, [(1200, 0, 1), (1300, 2, 1), (1500, 1, 1)]) + thread(1, [(1100, 0, 0), (1900, 1, 0)], lost=3) + thread(1, [(2000, 0x40000000, N)]) + \
        results('c', 'I', [1100, 1100, 0, 1400]) + end()
    open('whole', 'wb').write(whole)
    open('cut', 'wb').write(whole[:-20]) # in the middle of the end
    open('killed', 'wb').write(MAGIC + start() + module(0, F) + thread(2, [(1200, 0, 1), (1500, 1, 1)], ticks=2000, ns=5500))
    open('back', 'wb').write(MAGIC + start() + module(0, F) + thread(1, [(1200, 0, 0), (1100, 2, 1), (1150, 2, 1), (1400, 1, 0)]) + end())
    open('pairs', 'wb').write(MAGIC + start() + module(0, F) + thread(1, [(1100, 1, 0), (1200, 0, 0), (1300, 0, 0), (1400, 1, 0), (1500, 99, 0)]) + end(signal=11))
    wrap = 0xfffffff0
    open('wrap', 'wb').write(MAGIC + start(ticks=wrap - 100) + module(0, F) + results('c', 'I', [wrap, 10, 30]) + end(ticks=wrap + 400))
