"""Dependencies point one way: the contracts in pyproject.toml hold, and name every part."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/alaya"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]


def test_contracts_hold() -> None:
    """import-linter finds every contract kept."""
    program = Path(sys.executable).parent / "lint-imports"
    found = subprocess.run(
        [str(program), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout
    assert f"Contracts: {len(CONTRACTS['contracts'])} kept, 0 broken." in found.stdout


def test_contracts_know_every_part() -> None:
    """A new package has a place in the order of layers, or is ignored by name."""
    layers = next(c for c in CONTRACTS["contracts"] if c["type"] == "layers")
    placed = {part.strip(" ()") for line in layers["layers"] for part in line.split("|")}
    parts = {p.stem for p in SOURCE.iterdir() if p.stem not in ("__init__", "__pycache__", "py")}
    assert parts <= placed | set(layers["exhaustive_ignores"])
    adapters = {f"alaya.stores.{p.name}" for p in (SOURCE / "stores").iterdir() if p.is_dir()}
    independent = next(c for c in CONTRACTS["contracts"] if c["type"] == "independence")
    assert adapters - {"alaya.stores.__pycache__"} <= set(independent["modules"])


def test_only_wiring_names_adapters() -> None:
    """No module but wiring has the name of an adapter's module in a string, either."""
    named = set()
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.startswith(("alaya.stores.", "alaya.providers."))
                and inside not in ("stores", "providers", "testing")
            ):
                named.add(inside)
    assert named == {"wiring.py"}
