# The environment is made on demand: every target works in a fresh clone.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

AREA ?=
FROM ?= tests/conformance

.DEFAULT_GOAL := help
.PHONY: help repl test test-slow test-all check lint format types bench conformance accept lock clean

help:
	@echo "make repl         open the prompt (PROJECT=folder opens that project)"
	@echo "make test         the fast tests"
	@echo "make test-slow    the slow tests, minutes"
	@echo "make test-all     all tests"
	@echo "make check        linter, formatter, types, fast tests"
	@echo "make conformance  the conformance corpus (AREA=language, FROM=folder)"
	@echo "make bench        the benchmarks"
	@echo "make accept       accept changed golden cases; then read the diff"

$(READY): requirements.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what requirements.txt locks into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

PROJECT ?= .
repl: $(READY)
	@cd $(PROJECT) && $(abspath $(BIN))/beamtalk repl

test: $(READY)
	@$(BIN)/python -m pytest -q -n 2

test-slow: $(READY)
	@$(BIN)/python -m pytest -q -m slow -n 2

test-all: test test-slow

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

check: lint types test

format: $(READY)
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/beamtalk fmt examples lang/stdlib workspace/facade

bench: $(READY)
	@$(BIN)/python -m benchmarks

conformance: $(READY)
	@$(BIN)/python -m tests.conformance_runner --from $(FROM) $(if $(AREA),--area $(AREA))

accept: $(READY)
	@$(BIN)/python -m pytest -q --accept

lock: $(READY)
	@bash .ci/lock

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
