#!/usr/bin/env python3
"""wide_reader.py FOLDER: prints the log in shared memory below a work folder, some of its tags, as varnishlog -g raw does.

It reads what libvarnishapi reads since 7.3 and nothing else: the mark VSLHEAD2, records of three words (tag, version and
length; 64 bits of number and kind), the tags' numbers of that library."""
import struct
import sys

NAMES = {3: "CLI", 4: "SessOpen", 5: "SessClose", 6: "BackendOpen", 7: "BackendClose", 11: "Length", 14: "ReqURL", 24: "RespStatus",
         30: "BereqURL", 55: "TTL", 58: "VCL_call", 61: "ReqStart", 73: "Link", 74: "Begin", 75: "End", 78: "Timestamp",
         79: "ReqAcct", 81: "BereqAcct", 91: "VCL_use"}
END, WRAP, BATCH = 254 << 24 | 0x454545, 254 << 24 | 0x575757, 255


def log_of(folder):
    found = None
    for line in open(folder + "/_.vsm_child/_.index", encoding="utf-8"):
        words = line.split()
        if words[0] == "+" and words[4] == "Log":
            found = words
    with open(folder + "/_.vsm_child/" + found[1], "rb") as segment:
        return segment.read()[int(found[2]):]


def main():
    log = log_of(sys.argv[1])
    marker, _words, _segment = struct.unpack_from("=8sqI", log)
    if marker != b"VSLHEAD2":
        sys.exit(f"not the wide layout: {marker}")
    at = struct.unpack_from("=q", log, 24)[0] * 4 + 88
    while True:
        head, low, high = struct.unpack_from("=III", log, at)
        if head in (END, WRAP):
            break
        at += 12
        if head >> 24 == BATCH:
            continue
        if head >> 16 & 3 != 1:
            sys.exit(f"no version in {head:x}")
        length = head & 0xffff
        text = log[at:at + length - 1]
        at += (length + 3) // 4 * 4
        name = NAMES.get(head >> 24)
        if name:
            kind = "c" if high & 1 << 30 else "b" if high & 1 << 31 else "-"
            number = (high << 32 | low) & (1 << 51) - 1
            print(f"{number:10} {name:14} {kind} {text.decode('latin-1')}")


main()
