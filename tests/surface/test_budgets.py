"""The house rules that a machine can check. There is no list of exceptions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted(p for p in (ROOT / "tests").rglob("*.py") if "data" not in p.parts)
LINES, BODY, PARAMETERS, POSITIONAL = 400, 60, 7, 2
FORBIDDEN = {"utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(paths: list[Path]) -> Iterator[tuple[str, Function, bool]]:
    """(where, function, whether it is a method)."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, Function):
                    where = f"{shown(path)}:{child.lineno} {child.name}"
                    yield where, child, isinstance(node, ast.ClassDef)


def test_there_is_something_to_check() -> None:
    """The globs find the house."""
    assert len(SOURCE) > 100
    assert len(list(functions(SOURCE))) > 500


def test_files_are_short() -> None:
    """A file has at most 400 lines."""
    long = {
        shown(path): count
        for path in (*SOURCE, *TESTS)
        if (count := len(path.read_text("utf-8").splitlines())) > LINES
    }
    assert long == {}


def test_functions_are_short() -> None:
    """A function of the library has at most 60 lines."""
    long = {
        where: count
        for where, node, _ in functions(SOURCE)
        if (count := (node.end_lineno or 0) - node.lineno + 1) > BODY
    }
    assert long == {}


def test_functions_take_little() -> None:
    """A function has at most 7 parameters."""
    many = {
        where: count
        for where, node, method in functions(SOURCE)
        if (count := len(parameters(node, method)) + len(node.args.kwonlyargs)) > PARAMETERS
    }
    assert many == {}


def parameters(node: Function, method: bool) -> list[str]:
    """Positional parameters without the instance or class that a method is called on."""
    found = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    return found[1:] if method and not static else found


def test_files_have_telling_names() -> None:
    """No file is named after nothing in particular."""
    assert [shown(path) for path in SOURCE if path.stem.strip("_") in FORBIDDEN] == []


def test_modules_say_what_they_are() -> None:
    """Every module that holds code begins with what it is."""
    silent = []
    for path in (*SOURCE, *TESTS):
        tree = ast.parse(path.read_text("utf-8"))
        if tree.body and ast.get_docstring(tree) is None:
            silent.append(shown(path))
    assert silent == []


def test_every_test_states_its_claim() -> None:
    """A test's docstring is its claim."""
    published = [path for path in SOURCE if path.name.endswith("_contract.py")]
    silent = [
        where
        for where, node, _ in functions([*TESTS, *published])
        if node.name.startswith("test_") and ast.get_docstring(node) is None
    ]
    assert silent == []


def test_one_sqlite() -> None:
    """The SQLite inside Python is imported nowhere: it may be an old one, and two are no one."""
    importing = [
        shown(path)
        for path in SOURCE
        if re.search(r"^\s*(import|from)\s+sqlite3\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert importing == []


def test_errors_are_not_swallowed() -> None:
    """What catches everything raises it again."""
    swallowing = []
    for path in SOURCE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ExceptHandler) and catches_all(node):
                raises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
                if not raises:
                    swallowing.append(f"{shown(path)}:{node.lineno}")
    assert swallowing == []


def catches_all(node: ast.ExceptHandler) -> bool:
    types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(
        kind is None or (isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException"))
        for kind in types
    )


def test_nothing_is_left_to_do() -> None:
    """What is not done is an issue, not a comment."""
    marks = "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"))
    left = [
        f"{shown(path)}:{number}"
        for path in (*SOURCE, *TESTS)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(rf"#.*\b({marks})\b", line)
    ]
    assert left == []


def test_many_go_by_name() -> None:
    """Beyond the first two, parameters are keyword-only. (Python calls `__exit__` by position.)"""
    many = {
        where: count
        for where, node, method in functions(SOURCE)
        if (count := len(parameters(node, method))) > POSITIONAL and node.name != "__exit__"
    }
    assert many == {}
