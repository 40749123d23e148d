"""Invented sessions as files, as many as a test wants, each worth a card or two."""

from __future__ import annotations

import json
from pathlib import Path

TOOLS = ("Redis", "Kafka", "SQLite", "nginx", "Terraform", "Celery", "Grafana", "Vault")
PARTS = ("billing", "search", "upload", "login", "export", "billing audit", "mail", "metrics")


def turns_of(number: int) -> list[dict[str, str]]:
    """What is said in session `number`: a failure with its fix, and a decision."""
    tool, part = TOOLS[number % len(TOOLS)], PARTS[number // len(TOOLS) % len(PARTS)]
    name = f"{part} service {number}"
    said = [
        (
            "user",
            f"The {name} fails at start: connection to {tool} refused on port {7000 + number}.",
        ),
        (
            "assistant",
            f"The error was caused by a wrong host in {part}-{number}.yaml: {tool} listens on "
            f"10.0.0.{number % 250}. Setting the host to 10.0.0.{number % 250} fixed it.",
        ),
        ("user", f"我们决定以后用 {tool} 做 {part} 第 {number} 号服务的缓存，因为它最容易维护。"),
        ("assistant", f"好的，已记录：{part} 第 {number} 号服务统一使用 {tool}。"),
        ("user", f"From now on we always deploy the {name} on Fridays before 10:00, never later."),
        ("assistant", f"Understood: deploys of the {name} happen on Fridays before 10:00."),
    ]
    return [{"role": role, "content": content} for role, content in said]


def write_session(folder: Path, number: int, *, turns: int | None = None) -> Path:
    """Session `number` as JSON lines, or its first `turns`; returns the file."""
    path = folder / f"talk-{number:04d}.jsonl"
    lines = [json.dumps(turn, ensure_ascii=False) for turn in turns_of(number)[:turns]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
