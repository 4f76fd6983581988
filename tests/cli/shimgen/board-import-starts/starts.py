# starts.py - logs of a part that was flashed with two images, as docs/formats/kit-log.md has them, without the product's code:
# first.txt and second.txt.
import sys
from binascii import crc32


class Log:
    def __init__(self, path):
        self.path, self.text = path, ""

    def put(self, body):
        line = "shim %08x %x %s" % (self.tag, self.number, body)
        self.number += 1
        self.block.append(body + "\n")
        self.text += "%s *%08x\n" % (line, crc32(line.encode()))

    def start(self, tag, image, programs):
        self.tag, self.number, self.block = tag, 0, []
        self.put("start 1 %s 0 0 %x stm32" % (image, programs))
        self.put("conditions f42400 2 0 0 0 0 2 20 DWT")
        self.put("loops 3e8 bb8 1770")
        self.put("cost 10 40 100")

    def program(self, index, origin, name, cycles):
        self.block = []
        self.put("program %x 1388 1234 %s %s" % (index, origin, name))
        for run in range(2):
            self.put("region %x 1 0 %x r" % (run, cycles))
        self.put("end %x 2 %x %x" % (index, len(self.block), crc32("".join(self.block).encode())))

    def write(self):
        open(self.path, "w").write(self.text)


log = Log("first.txt")
log.start(0x11, "abcd", 4)
log.program(0, "ir", "a@O0", 10000)
log.program(2, "c", "c@O0", 30000)
log.start(0x12, "abcd", 4)  # the same image again
log.program(2, "c", "c@O0", 30000)
log.write()
log = Log("second.txt")
log.start(0x21, "beef", 2)
log.program(0, "ir", '"quoted, name"@O0'.replace(" ", "_"), 20000)
log.program(1, "ir", "e@O0", 10004)
log.write()
