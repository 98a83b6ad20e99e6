#!/usr/bin/env python3
"""Compares every #include in lib/ with the folders that may be included, and the link lists with the same table."""
import pathlib
import re
import sys

ALLOWED = {
    "base": "",
    "sys": "base",
    "tables": "base",
    "shm": "base sys tables",
    "logread": "base sys tables shm",
    "terminal": "",
    "cli": "base tables",
    "http": "base tables",
    "body": "base http",
    "vcl": "base tables",
    "vmod": "base tables vcl",
    "cache": "base tables",
    "flow": "base tables http body vcl vmod cache",
    "net": "base sys tables",
    "backend": "base sys tables http vcl net",
    "server": "base sys tables http body vcl cache flow net backend",
    "worker": "base sys tables shm cli http body vcl vmod cache flow net backend server",
    "manager": "base sys tables shm cli vcl vmod net",
}
ASIO = {"net", "backend", "server", "worker", "manager"}


def findings(root):
    lib = root / "lib"
    for folder in sorted(p.name for p in lib.iterdir() if p.is_dir()):
        if folder not in ALLOWED:
            yield f"lib/{folder}: not a folder of the design"
            continue
        may = set(ALLOWED[folder].split()) | {folder}
        for path in sorted(list((lib / folder).rglob("*.[ch]pp")) + list((lib / folder).rglob("*.def"))):
            where = path.relative_to(root)
            for number, line in enumerate(path.read_text().splitlines(), 1):
                quoted = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                if quoted:
                    target = quoted.group(1)
                    if target.split("/")[0] not in may:
                        yield f'{where}:{number}: {folder} may not include "{target}"'
                    elif "/" not in target or not ((lib / target).exists() or target.split("/")[0] in ("vmod", "tables", "vcl")):
                        yield f'{where}:{number}: "{target}" is not a path from lib/'
                if folder not in ASIO and re.match(r"\s*#\s*include\s+<boost/(asio|beast)", line):
                    yield f"{where}:{number}: {folder} may not include Asio or Beast"
        cmake = lib / folder / "CMakeLists.txt"
        if cmake.exists():
            for target in re.findall(r"clearcoat::(\w+)", cmake.read_text()):
                if target not in may:
                    yield f"{cmake.relative_to(root)}: {folder} may not link {target}"


def main():
    found = list(findings(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "include edges: as designed")
    return 1 if found else 0


sys.exit(main())
