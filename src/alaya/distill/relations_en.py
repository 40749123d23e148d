"""The tables of `relations_en.txt`: what people say of themselves and theirs in English."""

from __future__ import annotations

from alaya.distill.tables import grouped, listed, sections

_FILE = sections("relations_en.txt")
VERBS, THINGS, OWN = _FILE["verbs"], _FILE["things"], _FILE["own"]
KIN = grouped(_FILE["kin"])  # husband -> married to
SPELLED = grouped(_FILE["spelled"])  # mom -> mother
CLOSE = listed(_FILE["close"])
PETS, TRADES, VENTURES = (listed(_FILE[name]) for name in ("pets", "trades", "ventures"))
HAD, WORKS, TOOLS = (listed(_FILE[name]) for name in ("had", "works", "tools"))
STOPS = listed(_FILE["stops"])
VAGUE, ALONE, PRAISE = (frozenset(listed(_FILE[name])) for name in ("vague", "alone", "praise"))
