"""Tests stay on this machine."""

from __future__ import annotations

import socket

import pytest


def test_other_machines_are_out_of_reach() -> None:
    """A connection to another machine fails a test before a packet leaves."""
    with socket.socket() as one, pytest.raises(AssertionError, match="no network in tests"):
        one.connect(("192.0.2.1", 80))


def test_this_machine_can_be_reached() -> None:
    """Loopback works."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as one:
        one.connect(server.getsockname())
        assert one.getpeername() == server.getsockname()
