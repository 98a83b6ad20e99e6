#!/usr/bin/env python3
"""Coroutine rules that keep g++ 12 from destroying temporaries twice. G1: a lambda with captures is no coroutine. G2: no lambda in a
co_await statement. G3: no braces in a co_await expression. G4: one co_await a statement, no ?: beside it. G6: no large arrays in a
coroutine. G7: no promise type of our own."""
import pathlib
import re
import sys

ARRAY_STOP = 256  # bytes of a local array in a coroutine's body


def strip(text):
    """Blanks comments and literals, keeping every line where it is."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def closing(text, start):
    depth = 0
    for i in range(start, len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return i
    return len(text)


def statements(text):
    """Each statement that has a co_await: (offset, text up to its end, braces of bodies apart)."""
    for match in re.finditer(r"\bco_await\b", text):
        begin = max(text.rfind(c, 0, match.start()) for c in ";{}") + 1
        depth, end = 0, match.end()
        while end < len(text):
            c = text[end]
            if c in "([":
                depth += 1
            elif c in ")]":
                depth -= 1
                if depth < 0:
                    break
            elif c == ";" and depth <= 0:
                break
            elif c == "{" and depth <= 0 and text[match.end():end].rstrip().endswith(")"):
                break
            end += 1
        yield begin, match.start(), text[begin:end]


def findings(path, text):
    def line(offset):
        return f"{path}:{text.count(chr(10), 0, offset) + 1}"

    for match in re.finditer(r"\[([^\[\]]*)\]\s*(\([^()]*\))?[^;{}()]*\{", text):
        before = text[:match.start()].rstrip()[-1:]
        if match.group(1).strip() and (not before or before in "(,=&|!{;:?") :
            body = text[match.end() - 1:closing(text, match.end() - 1)]
            if re.search(r"\bco_(await|return|yield)\b", body):
                yield f"{line(match.start())}: G1: a capturing lambda is a coroutine"
    for begin, at, statement in statements(text):
        if re.search(r"(?<![\w\]\)])\[[^\[\]]*\]\s*[\(\{]", statement.split("co_await", 1)[1]):
            yield f"{line(at)}: G2: a lambda in a co_await statement"
        if "{" in statement.split("co_await", 1)[1] or re.search(r"\{[^}]*co_await", statement):
            yield f"{line(at)}: G3: braces in a co_await expression"
        if statement.count("co_await") > 1 or re.search(r"\?[^:]*:[^:]", statement):
            yield f"{line(at)}: G4: more than one co_await, or ?:, in a statement"
    for match in re.finditer(r"\btask<[^;{}]*>\s+[\w:]+\s*\([^;{}]*\)\s*(const\s*)?\{", text):
        body = text[match.end() - 1:closing(text, match.end() - 1)]
        for array in re.finditer(r"\b(?:char|std::byte|std::uint8_t)\s+\w+\s*\[\s*(\d+)\s*\]|std::array<\s*(?:char|std::byte|std::uint8_t)\s*,\s*(\d+)\s*>", body):
            if int(array.group(1) or array.group(2)) > ARRAY_STOP:
                yield f"{line(match.end() + array.start())}: G6: a large array in a coroutine"
    for match in re.finditer(r"\bpromise_type\b", text):
        yield f"{line(match.start())}: G7: a promise type of our own"


def main():
    root = pathlib.Path(sys.argv[1])
    found = []
    for top in ("lib", "app", "test", "benchmarks"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            text = strip(path.read_text())
            if "co_" in text:
                found += findings(path.relative_to(root), text)
    print("\n".join(found) if found else "coroutine rules: kept")
    return 1 if found else 0


sys.exit(main())
