"""Everything alaya raises on purpose.

    AlayaError                     one root; `exit_status` is what the command line returns
    ├── UserError            (1)   something the caller can mend
    │   ├── ConfigError            a setting is unknown or has a value that is not allowed
    │   ├── NotFound               no such card, session, relation or file
    │   ├── InvalidInput           an argument, query or file that cannot be understood
    │   └── Denied                 the scope, a permission or a read-only mode forbids it
    ├── Unsupported          (1)   this adapter cannot honour what was asked; it never ignores it
    └── Failure              (3)   alaya or its surroundings failed
        ├── ArchiveError           L3 is damaged, altered or shorter than it was
        ├── StoreError             L2/L1 could not be read or written (`alaya rebuild` may mend it)
        │   └── Damaged            the database cannot be read at all; `alaya rebuild` replaces it
        ├── Busy                   another process held the lock for too long
        ├── OutOfSpace             the disk is full; what was acknowledged is safe
        └── ProviderError          an embedder or a model did not answer usably

A message says what happened, where, and what to do next.
"""

from __future__ import annotations

__all__ = [
    "AlayaError",
    "ArchiveError",
    "Busy",
    "ConfigError",
    "Damaged",
    "Denied",
    "Failure",
    "InvalidInput",
    "NotFound",
    "OutOfSpace",
    "ProviderError",
    "StoreError",
    "Unsupported",
    "UserError",
]


class AlayaError(Exception):
    """The root of every error that alaya raises on purpose."""

    exit_status = 3


class UserError(AlayaError):
    """Something the caller can mend."""

    exit_status = 1


class ConfigError(UserError):
    """A setting is unknown or has a value that is not allowed."""


class NotFound(UserError):
    """No such card, session, relation or file."""


class InvalidInput(UserError):
    """An argument, a query or a file cannot be understood."""


class Denied(UserError):
    """The scope, a permission or a read-only mode forbids it."""


class Unsupported(AlayaError):
    """This adapter cannot honour what was asked; it never ignores it."""

    exit_status = 1


class Failure(AlayaError):
    """alaya or its surroundings failed."""


class ArchiveError(Failure):
    """L3 is damaged, altered or shorter than it was."""


class StoreError(Failure):
    """L2 or L1 could not be read or written; `alaya rebuild` may mend it."""


class Damaged(StoreError):
    """A database cannot be read at all; `alaya rebuild` sets it aside and grows a new one."""


class Busy(Failure):
    """Another process held the lock for too long."""


class OutOfSpace(Failure):
    """The disk is full; what was acknowledged is safe."""


class ProviderError(Failure):
    """An embedder or a model did not answer usably."""
