"""What English sentences do when they teach, define or tell about someone."""

from __future__ import annotations

from alaya.distill.acts import Act, Cue, cue
from alaya.distill.cues_en import _KIN, _PAST, _TIES

CUES: tuple[Cue, ...] = ()
