#!/usr/bin/env python3
"""Every parameter, and every bit of those that are made of bits, is read somewhere in lib/ outside of the tables, or its text says that it
does nothing here. What a text promises must not be a promise only."""
import pathlib
import re
import sys

# Their bits count, one by one; and what only tests the table itself.
MADE_OF_BITS = {"debug", "experimental", "feature", "vcc_feature", "vsl_mask", "deprecated_dummy"}


def rows(text, macro):
    for found in re.finditer(r"^CLEARCOAT_" + macro + r"\((\w+),(.*?)(?=^CLEARCOAT_|^#|\Z)", text, re.S | re.M):
        yield found.group(1), re.sub(r'"\s*\n\s*"', "", found.group(2))


def findings(root):
    tables = root / "lib/tables"
    source = "\n".join(p.read_text() for p in sorted((root / "lib").rglob("*.[ch]pp")) if tables not in p.parents)
    source += (root / "config/builtin.vcl").read_text()
    for name, text in rows((tables / "params.def").read_text(), r"(?:MANAGER_)?PARAM"):
        read = re.search(rf"\b{name}\(\)|::{name}\b|\"{name}\"|param\.{name}\b", source)
        if not read and name not in MADE_OF_BITS and not text.startswith(" vcc_bit") and not re.search("does nothing", text, re.I):
            yield f"params.def: nothing reads {name}, and its text does not say so"
    for name, text in rows((tables / "bits.def").read_text(), r"\w+_BIT"):
        if not re.search(rf"::{name}\b", source) and not re.search("does nothing", text, re.I):
            yield f"bits.def: nothing reads {name}, and its text does not say so"


def main():
    found = list(findings(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "parameters: each is read, or says that it does nothing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
