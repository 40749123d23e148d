"""Hypothesis: short by default, long with ALAYA_SOAK=1."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
settings.register_profile(
    "ci",
    max_examples=40,
    deadline=None,
    suppress_health_check=_QUIET,
    phases=set(Phase) - {Phase.explain},
)
settings.register_profile(
    "soak",
    max_examples=2000,
    deadline=None,
    suppress_health_check=_QUIET,
    phases=set(Phase) - {Phase.explain},
)
settings.load_profile("soak" if os.environ.get("ALAYA_SOAK") else "ci")
