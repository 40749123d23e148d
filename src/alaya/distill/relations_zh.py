"""The tables of `relations_zh.txt`: what people say of themselves and theirs in Chinese."""

from __future__ import annotations

from alaya.distill.tables import grouped, listed, sections

_FILE = sections("relations_zh.txt")
TOLD, OWN, THINGS, EVENTS = (_FILE[name] for name in ("told", "own", "things", "events"))
KIN = grouped(_FILE["kin"])  # 老妈 -> 妈妈
OURS, TRADES, PETS = (listed(_FILE[name]) for name in ("ours", "trades", "pets"))
SKILLS, WORKS, PLACES = (listed(_FILE[name]) for name in ("skills", "works", "places"))
