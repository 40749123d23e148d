"""The memory's own past: what was held when, undone, rolled back, revised."""
