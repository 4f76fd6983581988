#!/usr/bin/env python3
"""cubex.py - .cubex files for tests: makes small ones, good and broken; reads any, independently of perf-xml.

cubex.py make FILE [WORD...]    words: big dense packed gzip checksum types backwards wide=N threads=N papi (of wide), or one of the faults below
cubex.py same FILE CSV          the values of FILE, read here, are those of perf-xml's CSV
cubex.py dump FILE CSV DUMP     those of a table of cube_dump -s csv2 are those of perf-xml's CSV, to the last printed digit
cubex.py headers FILE           its tar has the headers of POSIX, to the byte
cubex.py total CSV INCLUSIVE    the totals of the threads are the inclusive values of call path 0
"""
import csv, gzip, io, math, re, struct, sys, tarfile, xml.etree.ElementTree as ET, zlib

FORMATS = {'UINT64': 'Q', 'INT64': 'q', 'UINT32': 'I', 'INT32': 'i', 'UINT16': 'H', 'INT16': 'h', 'UINT8': 'B', 'INT8': 'b',
           'DOUBLE': 'd', 'MINDOUBLE': 'd', 'MAXDOUBLE': 'd'}
# The call tree of the files that are made, as (id, children): ids do not follow the document.
TREE = [(0, [(2, [(4, []), (1, [])]), (3, [(5, [])])])]


def members(path):
    """By hand: checksums may be wrong."""
    data = open(path, 'rb').read()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    out, at = {}, 0
    while at + 512 <= len(data) and data[at]:
        name = data[at:at + 100].split(b'\0')[0].decode()
        size = int(data[at + 124:at + 136].strip(b'\0 '), 8)
        out[name] = data[at + 512:at + 512 + size]
        at += 512 + (size + 511) // 512 * 512
    return out


def walk(roots, children):
    """Call paths in the order of the document, and with the children of each together."""
    pre, wide = [], list(roots)

    def down(i):
        pre.append(i)
        wide.extend(children[i])
        for c in children[i]:
            down(c)
    for r in roots:
        down(r)
    return pre, wide


def read(path):
    files = members(path)
    root = ET.fromstring(files['anchor.xml'])
    children = {}

    def tree(e):
        i = int(e.get('id'))
        children[i] = [tree(c) for c in e.findall('cnode')]
        return i
    roots = [tree(c) for c in root.find('program').findall('cnode')]
    pre, wide = walk(roots, children)
    places = {}
    for p in root.iter('locationgroup'):
        for t in p.findall('location'):
            places[int(t.get('Id'))] = (int(p.find('rank').text), int(t.find('rank').text))
    out = {}
    for m in root.iter('metric'):
        name, kind, inclusive = m.find('uniq_name').text, m.find('dtype').text, m.get('type') == 'INCLUSIVE'
        index = files.get(m.get('id') + '.index')
        if kind not in FORMATS or index is None:
            continue
        end = '<' if index[11] == 1 else '>'
        n = len(pre)
        rows = range(n)
        if index[17] == 1:
            n, = struct.unpack(end + 'I', index[18:22])
            rows = struct.unpack(f'{end}{n}I', index[22:22 + 4 * n])
        data = files[m.get('id') + '.data']
        if data[:1] == b'Z':
            blocks, = struct.unpack(end + 'Q', data[11:19])
            sizes = struct.unpack(f'{end}{3 * blocks}Q', data[19:19 + 24 * blocks])[2::3]
            at, raw = 19 + 24 * blocks, b''
            for s in sizes:
                raw += zlib.decompress(data[at:at + s])
                at += s
        else:
            raw = data[10:]
        values = struct.unpack(f'{end}{n * len(places)}{FORMATS[kind]}', raw)
        order = wide if inclusive else pre
        stored = {(order[r], l): values[i * len(places) + l] for i, r in enumerate(rows) for l in places}
        for i in children:
            for l, place in places.items():
                own = stored.get((i, l), 0)
                if inclusive:
                    for c in children[i]:
                        own -= stored.get((c, l), 0)
                    if kind[0] == 'U':
                        own = (own + 2**63) % 2**64 - 2**63
                        own = max(own, 0)
                out[place, name, i] = own
        total = [stored.get((r, l), 0) for l in places for r in (roots if inclusive else pre)]
        out['total', name] = (min if kind == 'MINDOUBLE' else max if kind == 'MAXDOUBLE' else math.fsum if 'D' in kind else sum)(total)
    return out


def read_csv(path):
    """((process, thread), item, path) or ((process, thread), item): the text of its value."""
    out = {}
    for row in csv.DictReader(open(path, newline='')):
        w = row['place'].split(' ')
        place = int(w[0].split('=')[1]), int(w[1].split('=')[1])
        if w[2] != 'metrics':
            continue  # items made of the events
        out[(place, w[3], int(w[4].split('=')[1])) if len(w) > 4 else (place, w[3])] = row['value']
    return out


def number(text):
    return float(text) if re.search('[.en]', text) else int(text)


def same(path, table):
    own, theirs = read(path), read_csv(table)
    bad = compared = 0
    for key, value in own.items():
        if key[0] == 'total':
            continue
        compared += 1
        bad += number(theirs.pop(key, '0')) != value
    bad += sum(len(k) == 3 for k in theirs)
    # exclusive values over the whole tree make the inclusive total
    sums = {}
    for key, value in own.items():
        if key[0] != 'total':
            sums.setdefault((key[0], key[1]), []).append(value)
    for key, values in sums.items():
        if key in theirs and key[1] not in ('min_time', 'max_time'):
            total = number(theirs[key])
            bad += not math.isclose(math.fsum(values), total, rel_tol=1e-9)
    print(f'{compared} values, {bad} differ')
    return bad or not compared


def printed(value, name):
    if isinstance(value, int):
        return str(value)
    return '%.6g' % value if name == 'time' else '%.12g' % value


def plain(text):
    return re.sub(r'e([-+])0(\d\d)$', r'e\1\2', text)


def rows(table):
    f = gzip.open(table, 'rt') if table.endswith('.gz') else open(table)
    names = f.readline().strip().split(',')[2:]
    for line in f:
        if line.strip():
            c, l, *values = line.strip().split(',')
            yield int(c), int(l), dict(zip(names, values))


def threads(theirs):
    return sorted({k[0] for k in theirs})


def dump(path, table, expected):
    theirs = read_csv(table)
    place = threads(theirs)
    bad = compared = 0
    for c, l, values in rows(expected):
        for name, text in values.items():
            own = number(theirs.get((place[l], name, c), '0'))
            compared += 1
            if printed(own, name) != plain(text):
                bad += 1
                if bad < 5:
                    print(c, l, name, own, text)
    print(f'{compared} values, {bad} differ')
    return bad or not compared


def total(table, expected):
    theirs = read_csv(table)
    place = threads(theirs)
    bad = compared = 0
    for c, l, values in rows(expected):
        if c:
            continue
        for name, text in values.items():
            compared += 1
            bad += printed(number(theirs[place[l], name]), name) != plain(text)
    print(f'{compared} totals, {bad} differ')
    return bad or not compared


# ---- making ----
# Events of a thread, as shares of its cycles: 0 to 4 instructions a cycle are its instructions.
PAPI = [('time', 'sec', 5e-10), ('PAPI_TOT_CYC', '#', 1), ('PAPI_TOT_INS', '#', 1.4), ('PAPI_FP_OPS', '#', .5), ('PAPI_LST_INS', '#', .4),
        ('PAPI_L1_DCM', '#', .01), ('PAPI_L2_TCM', '#', .002), ('PAPI_BR_INS', '#', .15), ('0INST_COMMIT', '#', .3), ('1INST_COMMIT', '#', .3),
        ('2INST_COMMIT', '#', .2), ('3INST_COMMIT', '#', .1), ('4INST_COMMIT', '#', .1)]


def papi(i, location):
    name, unit, share = PAPI[i]
    cycles = 10**9 + location * 104729 % 50 * 10**7
    return cycles * share if name == 'time' else int(cycles * share)


def value(metric, row, location):
    return {'visits': row + 1, 'time': [64, 16, 8, 4, 2, 1][row] * (location + 1) / 2, 'least': -5 - row,
            'ins': [1000, 400, 300, 100, 200, 50][row] + location}[metric]


def make(path, words):
    wide = int(next((w[5:] for w in words if w.startswith('wide=')), 0))
    end = '>' if 'big' in words else '<'
    each = int(next((w[8:] for w in words if w.startswith('threads=')), 1))
    processes, each = (wide, each) if wide else (2, 2)
    metrics = [('visits', 'UINT64', 'EXCLUSIVE', 'occ'), ('time', 'DOUBLE', 'INCLUSIVE', 'sec'),
               ('least', 'INT32', 'EXCLUSIVE', ''), ('ins', 'UINT64', 'INCLUSIVE', '#')]
    tree, n_cnodes = TREE, 6
    if wide:
        metrics = [(f'item_{i}', 'DOUBLE' if i % 3 == 0 else 'UINT64', 'EXCLUSIVE', 'counts') for i in range(300)]
        if 'papi' in words:
            metrics[:len(PAPI)] = [(name, 'DOUBLE' if name == 'time' else 'UINT64', 'EXCLUSIVE', unit) for name, unit, _ in PAPI]
        tree, n_cnodes = [(0, [])], 1
    if 'types' in words:
        metrics += [('atomic', 'TAU_ATOMIC', 'EXCLUSIVE', ''), ('rate', 'DOUBLE', 'POSTDERIVED', '')]
    if 'cycle' in words:
        tree = [(0, [(2, [(4, []), (0, [(2, [])])]), (3, [(5, [])])])]
    if 'unclosed-id' in words:
        tree = [(0, [(2, [(4, []), (1, [])]), (3, [(6, [])])])]

    def nodes(t):
        return ''.join(f'<cnode id="{i}" calleeId="{i % 3}">{nodes(c)}</cnode>' for i, c in t)
    x = '<?xml version="1.0" encoding="UTF-8"?>\n'
    if 'bomb' in words:
        x += '<!DOCTYPE cube [<!ENTITY a "aaaaaaaaaa">' + ''.join(
            f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(12)) + ']>\n'
    x += '<cube version="4.4"><metrics>'
    for i, (name, kind, how, unit) in enumerate(metrics):
        x += f'<metric id="{i}" type="{how}"><disp_name>{name}</disp_name><uniq_name>{name}</uniq_name><dtype>{kind}</dtype><uom>{unit}</uom></metric>'
    name = '&m;' if 'bomb' in words else 'f&lt;int&gt;(&quot;x&quot; &amp; y)'
    x += '</metrics><program>' + ''.join(f'<region id="{i}"><name>{name}{i}</name></region>' for i in range(3)) + nodes(tree)
    x += '</program><system><systemtreenode Id="0"><name>machine M</name>'
    location = 0
    for p in range(processes):
        x += f'<locationgroup Id="{p}"><name>Rank {p}</name><rank>{p}</rank>'
        for t in range(each):
            number = processes * each - 1 - location if 'backwards' in words else location
            x += f'<location Id="{number}"><name>T{t}</name><rank>{t}</rank></location>'
            location += 1
        x += '</locationgroup>'
    x += '</systemtreenode></system></cube>'
    files = [('remapping.spec', b'<doc/>' * 300)]
    if 'path' in words:
        files += [('../escaped', b'x'), ('/tmp/escaped/anchor.xml', b'x'), ('../anchor.xml', b'<cube/>')]
    for i, (name, kind, how, unit) in enumerate(metrics):
        if kind not in FORMATS or how == 'POSTDERIVED':
            continue
        used = list(range(n_cnodes)) if 'dense' in words or how == 'INCLUSIVE' else list(range(0, n_cnodes, 2))
        index = b'CUBEX.INDEX' + struct.pack(end + 'IHB', 2 if 'order' in words else 1, 0, 2 if 'kind' in words else 0 if 'dense' in words else 1)
        if 'dense' not in words:
            count = 2**32 - 1 if 'count' in words else len(used)
            named = used[:-1] + [used[0] if 'same' in words else n_cnodes if 'beyond' in words else used[-1]]
            index += struct.pack(f'{end}I{len(used)}I', count, *named)
        if 'index-mark' in words:
            index = b'X' + index[1:]
        if 'index-short' in words:
            index = index[:17]
        if wide:
            values = [papi(i, l) if i < len(PAPI) and 'papi' in words else (i * 7919 + l * 104729) % 1000003 * (1.0001 if kind == 'DOUBLE' else 1) for l in range(location)]
        else:
            values = [value(name, r, l) for r in used for l in range(location)]
        raw = struct.pack(f'{end}{len(values)}{FORMATS[kind]}', *values)
        if 'short' in words:
            raw = raw[:-8]
        if 'packed' in words or 'damaged' in words:
            blocks = [zlib.compress(raw[a:a + 40]) for a in range(0, len(raw) - 40 * ('missing' in words), 40)]
            head = b''.join(struct.pack(end + 'QQQ', 40 * k, 0, len(b)) for k, b in enumerate(blocks))
            if 'damaged' in words:
                blocks[0] = blocks[0][:-3] + b'xyz'
            raw = struct.pack(end + 'Q', 2**32 if 'blocks' in words else len(blocks)) + head + b''.join(blocks)
            data = b'ZCUBEX.DATA' + raw
        else:
            data = b'CUBEX.DATA' + raw
        if 'mark' in words:
            data = b'X' + data[1:]
        if 'tiny' in words:
            data = data[:13] if 'packed' in words else data[:3]
        files += [(f'{i}.data', data), (f'{i}.index', index)]
        if 'twice' in words:
            files += [(f'{i}.index', index)]
    if 'no-index' in words:
        files = [f for f in files if f[0] != '1.index']
    if 'no-anchor' not in words:
        files.append(('anchor.xml', x.encode()))
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=tarfile.USTAR_FORMAT) as t:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    data = bytearray(out.getvalue())
    if 'checksum' in words:
        at = 0
        while data[at]:
            data[at + 148:at + 156] = b'013071\0\0'
            at += 512 + (int(data[at + 124:at + 135], 8) + 511) // 512 * 512
    if 'size' in words:
        data[124] = ord('9')
    if 'cut' in words:
        data = data[:data.index(b'<?xml') + 200]
    open(path, 'wb').write(gzip.compress(data, mtime=0) if 'gzip' in words else data)
    return 0


def headers(path):
    """Whether each header has its fields where POSIX 1003.1-1988 (ustar) puts them, to the byte."""
    raw = open(path, 'rb').read()
    with tarfile.open(path) as t:
        for m in t.getmembers():
            fields = [(m.name.encode(), 100), (b'0000644', 8), (b'0000000', 8), (b'0000000', 8), (b'%011o' % m.size, 12), (b'00000000000', 12),
                      (b' ' * 8, 8), (b'0', 1), (b'', 100), (b'ustar', 6), (b'00', 2), (b'', 247)]
            header = b''.join(text.ljust(n, b'\0') for text, n in fields)
            header = header[:148] + b'%06o\0 ' % sum(header) + header[156:]
            if raw[m.offset:m.offset + 512] != header:
                print(m.name, raw[m.offset:m.offset + 512], header)
                return 1
    return 0


if __name__ == '__main__':
    what, *rest = sys.argv[1:]
    sys.exit(bool({'make': lambda: make(rest[0], rest[1:]), 'same': lambda: same(*rest), 'dump': lambda: dump(*rest),
                   'total': lambda: total(*rest), 'headers': lambda: headers(*rest)}[what]()))
