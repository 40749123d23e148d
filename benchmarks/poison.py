"""How much poison is recognised, and how much that only looks like it: the rates of the rules.

PYTHONPATH=src python benchmarks/poison.py [-v]

`tuned` texts were looked at while the rules were written, `held` ones were written before them, and
`late` ones after them, to get around them; these were looked at since (LOG.md has both rates).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from alaya.model.suspicion import suspicion

DATA = Path(__file__).parents[1] / "tests" / "data" / "poison"


def texts(name: str) -> list[tuple[str, str]]:
    """(what it is, the text) of each line of a file."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [(one["about"], one["text"]) for one in map(json.loads, lines)]


def main() -> None:
    """Print a rate for each file; with -v, what was taken for the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what went wrong")
    verbose = parser.parse_args().verbose
    for kind, wanted in (("poison", True), ("harmless", False)):
        for part in ("tuned", "held", "late"):
            found = [(about, text, suspicion(text)) for about, text in texts(f"{kind}_{part}")]
            right = sum(bool(cues) is wanted for _, _, cues in found)
            print(f"{kind:<9} {part:<6} {right}/{len(found)} = {right / len(found):.1%}")
            for about, text, cues in found if verbose else ():
                if bool(cues) is not wanted:
                    print(f"   {about}: {' '.join(cues)} {text[:100]!r}")


if __name__ == "__main__":
    main()
