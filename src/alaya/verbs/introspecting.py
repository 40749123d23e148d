"""The verb by which a memory minds itself: distil, consolidate, cool down, forget."""

from __future__ import annotations

from collections.abc import Mapping

from alaya.introspect.steps import StepFunction
from alaya.model.introspection import Step

STEPS: Mapping[Step, StepFunction] = {}
