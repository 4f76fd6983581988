# good.py - a log as docs/formats/kit-log.md has it, without the product's code: good.txt.
from binascii import crc32

number = 0
block = []


def put(body):
    global number
    line = "shim 00000011 %x %s" % (number, body)
    number += 1
    block.append(body + "\n")
    print("%s *%08x" % (line, crc32(line.encode())))


put("start 1 abcd 0 0 2 stm32")
put("conditions f42400 2 0 0 0 0 2 20 DWT")
put("loops 3e8 bb8 1770")
put("cost 10 40 100")
for index, cycles in ((0, 10000), (1, 20000)):
    block = []
    put("program %x 1388 1234 ir %s@O0" % (index, "ab"[index]))
    for run in range(2):
        put("region %x 1 0 %x r" % (run, cycles))
    put("end %x 2 %x %x" % (index, len(block), crc32("".join(block).encode())))
put("done 0")
