#!/usr/bin/env python3
"""verdicts.py OURS FOLDER [REFERENCE]: loads every VCL of FOLDER with `OURS -C -f` and expects success. With REFERENCE (a
varnishd of the reference) both judge the same files, and broken variants of them: the exit statuses must agree, and for
a broken one every word of the message, with it the line. Variants are made by rule, so a run can be repeated. Each file
also has a script in test/vtc/sites that proves what it decides; one without is a finding. The files of FOLDER/own import
modules that the reference has not."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# name, which lines, what becomes of a line; None leaves it.
MUTATIONS = [
    ("semicolon lost", r";\s*$", lambda l: re.sub(r";(\s*)$", r"\1", l)),
    ("unknown variable", r"\b(req|bereq|beresp|resp)\.(url|method|status|ttl|reason)\b",
     lambda l: re.sub(r"\b(req|bereq|beresp|resp)\.(url|method|status|ttl|reason)\b", r"\1.\2x", l, count=1)),
    ("string for a time", r"set beresp\.(ttl|grace|keep) = [0-9.]+[a-z]+;",
     lambda l: re.sub(r"= [0-9.]+[a-z]+;", '= "soon";', l)),
    ("unknown action", r"return \((hash|pass|deliver|lookup|retry|restart)\);",
     lambda l: re.sub(r"return \(\w+\)", "return (nowhere)", l)),
    ("brace lost", r"^\s+if .*\{\s*$", lambda l: l.replace("{", "", 1)),
    ("bracket lost", r"\bif \(.*\) \{$", lambda l: l.replace(") {", " {", 1)),
    ("bad expression", r'[!]?~ "', lambda l: re.sub(r'~ "', '~ "(', l, count=1)),
    ("unknown function", r"\bstd\.\w+\(", lambda l: re.sub(r"\bstd\.\w+\(", "std.nonesuch(", l, count=1)),
    ("unknown sub", r"^\s+call \w+;", lambda l: re.sub(r"call \w+", "call nobody", l)),
    ("wrong place", r"set (beresp|resp)\.http\.", lambda l: l.replace("set beresp.http.", "set resp.http.").replace(
        "set resp.http.", "set beresp.http.") if "set resp" in l else l.replace("set beresp.http.", "set resp.http.")),
    ("unit unknown", r"\b\d+[smhdwy];", lambda l: re.sub(r"\b(\d+)[smhdwy];", r"\1q;", l)),
    ("attribute unknown", r"^\s+\.(port|interval|timeout|window) = ", lambda l: re.sub(r"\.(\w+) =", r".\1y =", l)),
]
EVERY = 7  # of the lines a mutation fits, this many share one variant
FEWEST = 200  # variants that both refuse at the same line


def judge(program, path, folder):
    """(exit status, what it says, without what only one of the programs can say)"""
    done = subprocess.run([program, "-C", "-f", str(path)], capture_output=True, text=True, timeout=60, cwd=folder)
    text = done.stderr + done.stdout if done.returncode else ""
    text = re.sub(r"^(Could not delete '.*|\(program line \d+\), at)\n", "", text, flags=re.M)
    return done.returncode, text.strip()


def variants(path):
    lines = path.read_text().splitlines(keepends=True)
    for name, pattern, change in MUTATIONS:
        fitting = [i for i, l in enumerate(lines) if re.search(pattern, l) and not l.lstrip().startswith("#")]
        for i in fitting[::EVERY]:
            changed = change(lines[i])
            if changed != lines[i]:
                yield f"{path.name}:{i + 1}: {name}", "".join(lines[:i] + [changed] + lines[i + 1:])


def main():
    with tempfile.TemporaryDirectory(prefix="clearcoat-sites-") as place:
        pathlib.Path(place).chmod(0o755)  # both programs read as other users, who may not enter where the project lies
        copy = pathlib.Path(place, "test")
        shutil.copytree(pathlib.Path(sys.argv[2]).resolve(), copy / "vcl")
        shutil.copytree(pathlib.Path(sys.argv[2]).resolve().parent / "vtc" / "sites", copy / "vtc" / "sites")
        subprocess.run(["chmod", "-R", "a+rX", place], check=True)
        return compare(copy / "vcl")


def compare(folder):
    ours = pathlib.Path(sys.argv[1]).resolve()
    reference = sys.argv[3] if len(sys.argv) > 3 else None
    wrong, count, located = [], 0, 0
    for path in sorted(folder.glob("*.vcl")) + sorted(folder.glob("own/*.vcl")):
        status, text = judge(ours, path, folder)
        count += 1
        if status != 0:
            wrong.append(f"{path.name}: refused:\n{text}")
        if not (folder.parent / "vtc" / "sites" / path.relative_to(folder).with_suffix(".vtc")).exists():
            wrong.append(f"{path.name}: no script proves its decisions")
        if reference and path.parent == folder and judge(reference, path, folder)[0] != 0:
            wrong.append(f"{path.name}: the reference refuses it")
    with tempfile.TemporaryDirectory(prefix="clearcoat-vcl-") as scratch:
        pathlib.Path(scratch).chmod(0o755)  # the reference reads as another user
        file = pathlib.Path(scratch) / "variant.vcl"
        cases = [(p.name, p.read_text()) for p in sorted((folder / "broken").glob("*.vcl"))]
        if reference:
            cases += [v for p in sorted(folder.glob("*.vcl")) for v in variants(p)]
        for name, text in cases:
            file.write_text(text)
            count += 1
            mine = judge(ours, file, scratch)
            if reference:
                theirs = judge(reference, file, scratch)
                if mine != theirs:
                    wrong.append(f"{name}: differs\n--- ours\n{mine[1]}\n--- reference\n{theirs[1]}")
                elif mine[0] != 0 and re.search(r" Line \d+ Pos \d+\)", mine[1]):
                    located += 1
            elif mine[0] != 2:
                wrong.append(f"{name}: accepted, or not refused with status 2")
    if reference and located < FEWEST:
        wrong.append(f"only {located} variants were refused at the same line, {FEWEST} are wanted")
    print("\n".join(wrong) if wrong else f"verdicts: {count} as expected")
    if wrong:
        print(f"{len(wrong)} of {count} wrong")
    elif reference:
        print(f"refused by both at the same line: {located}")
    return 1 if wrong else 0


sys.exit(main())
