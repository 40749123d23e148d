"""help_minding_en 的中文。"""

from __future__ import annotations

HELP: dict[str, str] = {}
