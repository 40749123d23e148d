"""`make demo`: six invented sessions in, cards out, recalled and traced. Offline, in .demo/.

Every step is a command that you can type yourself; what stands behind `$` is what is run.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".demo"


def alaya(*arguments: str, lang: str = "en", show: bool = True) -> str:
    """Run one command and print it with what it says."""
    environment = {**os.environ, "ALAYA_HOME": str(HOME), "ALAYA_LANG": lang, "COLUMNS": "100"}
    environment["ALAYA_EMBEDDING_BACKGROUND"] = "false"  # the demo embeds where you can see it
    if show:
        print(f"\n$ alaya {shlex.join(arguments)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "alaya", *arguments],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    if show:
        print(done.stdout.rstrip(), flush=True)
    return done.stdout


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def main() -> None:
    start = time.monotonic()
    shutil.rmtree(HOME, ignore_errors=True)
    say("1. Keep what was said, word for word")
    alaya("init")
    alaya("ingest", "examples/sessions")
    say("2. Distil it into cards with evidence")
    alaya("distill")
    alaya("embed")
    say("3. Recall, in Chinese and in English")
    alaya("recall", "网关重启之后为什么收不到通知?", "--limit", "3", lang="zh")
    alaya("recall", "which port was already in use when the deploy failed?", "--limit", "3")
    alaya("recall", "how do I bake sourdough bread?")
    say("4. Walk one step along the graph")
    found = json.loads(alaya("recall", "plugins.allow", "--json", show=False))
    first = found["nodes"][0]["card_id"]
    alaya("recall", "--from-nodes", first, "--depth", "1", "--limit", "3")
    say("5. Trace a card back to the words")
    alaya("trace", first)
    say("6. And prove that all of it is whole")
    alaya("verify")
    alaya("status")
    print(f"\nThe demo took {time.monotonic() - start:.0f} s. Its memory stands in {HOME}; try:")
    print(f"  ALAYA_HOME={HOME} {ROOT}/.venv/bin/alaya recall 'flaky test'")


if __name__ == "__main__":
    main()
