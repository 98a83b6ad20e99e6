#!/usr/bin/env python3
"""The counters that nothing in lib/ moves, and those that app/varnishstat/manual.md lists as "always 0", are the same."""
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
SETS = {"main": "MAIN.", "lck": "LCK.*.", "mempool": "MEMPOOL.*.", "mgt": "MGT.", "vbe": "VBE.*."}


def words_in_sources():
    words = set()
    for path in (ROOT / "lib").rglob("*.[ch]pp"):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        words.update(re.findall(r"(?:\.|->|main_counters::)(\w+)\b(?! *\()", text))
    # MAIN.sc_* are reached by the number of the reason.
    reasons = (ROOT / "lib/tables/close_reasons.def").read_text(encoding="utf-8")
    words.update("sc_" + name for name in re.findall(r"^CLEARCOAT_CLOSE_REASON\(\w+, (\w+)", reasons, re.M))
    return words


def main():
    words = words_in_sources()
    idle = set()
    for name, prefix in SETS.items():
        table = (ROOT / f"lib/tables/counters_{name}.def").read_text(encoding="utf-8")
        idle.update(prefix + field for field in re.findall(r"^CLEARCOAT_COUNTER\((\w+)", table, re.M) if field not in words)
    manual = (ROOT / "app/varnishstat/manual.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([^`]+)` \| always 0 \|", manual, re.M))
    for counter in sorted(idle - told):
        print(f"app/varnishstat/manual.md: nothing moves {counter}, and the table does not say so")
    for counter in sorted(told - idle):
        print(f"app/varnishstat/manual.md: {counter} is said to be always 0, but something moves it")
    sys.exit(idle != told)


main()
