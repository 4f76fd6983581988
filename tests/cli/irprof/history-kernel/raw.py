# Writes stamps of kernels as docs/formats/stamps.md has them.
import struct
MAGIC = b'irprof kernel 1\n'
def launch(kind, name, grid, group, data, hz=0, number=0, element=0, taken=0, first=0, by_group=(0, 0, 0), by_item=(0, 0, 0)):
    head = struct.pack('<II3Q3QQQIIQQ3Q3Q', kind, len(name), *grid, *group, hz, len(data), number, element, taken, first, *by_group, *by_item)
    return head + name.encode() + data
def words(*w): return struct.pack('<%dI' % len(w), *w)
# A stamp of 31 bits under the number of the point: 0 the begin, 1 the end.
def stamp(point, clock): return point << 31 | clock & 0x7fffffff
# HW_ID: shader engine, compute unit; the rest says which wave and queue it was.
def hardware(engine, unit): return 0xa5030035 | engine << 13 | unit << 8
if __name__ == '__main__':
    wrap = 1 << 31
    first = [words(2, hardware(1, 2), stamp(0, wrap - 100 + 10 * i), stamp(1, wrap + 100 + 10 * i)) for i in range(4)]
    second = [words(2 + 3 * (i == 3), hardware(0, 3), stamp(0, wrap + 50), stamp(1, wrap + 450)) for i in range(4)]
    added = b''.join(first + second)
    open('added', 'wb').write(MAGIC + launch(0, 'copy', (4, 2, 1), (2, 2, 1), added, hz=10**9))
    open('twice', 'wb').write(MAGIC + 2 * launch(0, 'copy', (4, 2, 1), (2, 2, 1), added, hz=10**9))
    # Rows of four doubles, the first word of each the low one; the third row is not the kernel's.
    out = struct.pack('<12Q', *(stamp(0, 1000 + i) for i in range(12)))
    units = struct.pack('<8Q', *(hardware(0, i // 4) for i in range(8)))
    place = dict(by_group=(2, 0, 0), by_item=(1, 4, 0), element=8, taken=1)
    open('replaced', 'wb').write(MAGIC + launch(1, 'copy', (4, 2, 1), (2, 2, 1), out, number=0, **place) +
                                 launch(1, 'copy', (4, 2, 1), (2, 2, 1), units, number=1, **place))
