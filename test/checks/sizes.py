#!/usr/bin/env python3
"""Holds the stops of the house style: 700 lines a file (tables apart), 60 lines a function; prints the ten longest of each."""
import json
import pathlib
import subprocess
import sys

FILE_STOP = 700
FUNCTION_STOP = 60


def sources(root):
    for top in ("lib", "app", "examples", "test", "benchmarks"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            yield path


def functions(paths):
    command = ["ctags", "--languages=C++", "--map-C++=+.hpp", "--kinds-C++=f", "--fields=+ne", "--output-format=json", "-L", "-", "-f", "-"]
    out = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        if "end" in tag:
            yield tag["end"] - tag["line"] + 1, tag["path"], tag["line"], tag["name"]


def main():
    root = pathlib.Path(sys.argv[1])
    paths = list(sources(root))
    lengths = sorted(((len(p.read_text().splitlines()), p.relative_to(root)) for p in paths), reverse=True)
    bodies = sorted(functions(p for p in paths if "test" not in p.relative_to(root).parts), reverse=True)
    print("longest files:")
    for size, path in lengths[:10]:
        print(f"  {size:5} {path}")
    print("longest functions:")
    for size, path, line, name in bodies[:10]:
        print(f"  {size:5} {pathlib.Path(path).relative_to(root)}:{line} {name}")
    failed = [f"{p}: {n} lines" for n, p in lengths if n > FILE_STOP and "tables" not in p.parts]
    failed += [f"{path}:{line}: {name} has {n} lines" for n, path, line, name in bodies if n > FUNCTION_STOP]
    for finding in failed:
        print("too long:", finding)
    return 1 if failed else 0


sys.exit(main())
