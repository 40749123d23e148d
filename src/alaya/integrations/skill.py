"""The skill that tells an agent when and how to use alaya: the Alaya design's, of today."""

from __future__ import annotations

from importlib.resources import files


def skill(language: str) -> str:
    """SKILL.md in a language; it stands beside this module."""
    name = "skill.zh.md" if language == "zh" else "skill.md"
    return files("alaya.integrations").joinpath(name).read_text("utf-8")
