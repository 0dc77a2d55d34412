"""Submissions that do not deliver: they crash, never end, or write something that is not the contract's outputs."""

from tools.files import FileTree


def _script(text: str) -> FileTree:
    return FileTree({"reproduce.sh": text.encode()})


CRASH = _script('head -n 1 "$CASES" > "$OUT/partial.txt"\nexit 3\n')
TIMEOUT = _script("sleep 600\n")
SILENT = _script("true\n")
MALFORMED = _script('echo \'{"id": "x", "output": NaN\' > "$OUT/outputs.jsonl"\n')

ENDLESS = "timeout"
BROKEN = {"crash": CRASH, ENDLESS: TIMEOUT, "silent": SILENT, "malformed": MALFORMED}
