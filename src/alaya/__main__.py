"""`python -m alaya` is the command `alaya`."""

from __future__ import annotations

from alaya.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
