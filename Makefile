# `make help` lists the words. Each does the set-up it needs, in .venv: with uv where it is installed, else venv and pip.

SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
READY := $(VENV)/.ready
OLDEST := .venv-oldest
RIVALS := $(VENV)/.rivals
EXTRAS := pipeline,tables,dask,team,dev
CONSTRAINTS := constraints.txt

# `dvc` and `fselect` in recipes, and in the stages of dvc.yaml, are those of .venv.
export PATH := $(BIN):$(PATH)
# Compiled imports are kept: without them every start compiles MLflow, Prefect and scikit-learn again.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
unexport VIRTUAL_ENV
# uv takes a Python that is there; it does not try to fetch one.
export UV_PYTHON_DOWNLOADS := never
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The first candidate that runs and is new enough: a name on PATH may be a shim without a Python behind it.
NEW_ENOUGH := import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)
CANDIDATES := python3.13 python3.12 python3.11 python3 python
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c '$(NEW_ENOUGH)' 2>/dev/null && break; done)

PREFECT_PORT ?= 4200
MLFLOW_PORT ?= 5000

.PHONY: help setup run repro serve deploy test test-all test-oldest lint types bench ui docs constraints clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY)  ## make .venv with all that the other words need

$(READY): pyproject.toml $(CONSTRAINTS)
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found; install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 2; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version) (once)"
	@if command -v uv >/dev/null; then \
	    { test -x $(BIN)/python || uv venv -q --python $(PYTHON) $(VENV); } && \
	    uv pip install -q --python $(BIN)/python -c $(CONSTRAINTS) -e '.[$(EXTRAS)]'; \
	else \
	    { test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { echo "make uv or Python's venv module available (Debian: apt install python3-venv)"; exit 2; }; } && \
	    $(BIN)/pip install -q --no-compile --use-pep517 -c $(CONSTRAINTS) -e '.[$(EXTRAS)]'; \
	fi
	@touch $@

run: $(READY)  ## the study of params.yaml as a Prefect flow: versioned, tracked, with a report
	@python -m flows.pipeline

repro: $(READY)  ## the same study as DVC stages: only what changed
	@dvc repro

serve: $(READY)  ## Prefect server, worker and MLflow for this folder, until Ctrl-C or SIGTERM; PREFECT_PORT, MLFLOW_PORT
	@exec python -m flows.serve --prefect-port $(PREFECT_PORT) --mlflow-port $(MLFLOW_PORT)

deploy: $(READY)  ## what prefect.yaml says now, to the server of `make serve`
	@PREFECT_API_URL=http://127.0.0.1:$(PREFECT_PORT)/api prefect --no-prompt deploy --all

test: lint types  ## lint, types and the tests, without the slow ones
	@pytest -m "not slow" -n 2 --dist loadfile

test-all: lint types  ## all tests, the slow ones too
	@pytest

test-oldest:  ## the tests with the oldest packages that pyproject.toml allows, in .venv-oldest (needs uv, Python 3.11)
	@test -x $(OLDEST)/bin/python || uv venv -q --python 3.11 $(OLDEST)
	@uv pip install -q --python $(OLDEST)/bin/python -U --resolution lowest-direct -e '.[$(EXTRAS)]'
	@PATH="$(CURDIR)/$(OLDEST)/bin:$$PATH" pytest -m "not slow" -n 2 --dist loadfile

lint: $(READY)  ## style, format, and imports that run downward only
	@ruff check
	@ruff format --check
	@lint-imports --no-cache >/dev/null || lint-imports --no-cache

types: $(READY)  ## static types
	@mypy

$(RIVALS): $(READY)
	@echo "installing what searches are compared with (once)"
	@if { if command -v uv >/dev/null; then \
	    uv pip install -q --python $(BIN)/python -c $(CONSTRAINTS) -e '.[bench]'; \
	else \
	    $(BIN)/pip install -q --no-compile --use-pep517 -c $(CONSTRAINTS) -e '.[bench]'; \
	fi; }; then touch $@; else echo "not all could be installed; what is absent is skipped"; fi

bench: $(RIVALS)  ## how fast eliminations, payoffs and searches are beside those of other packages, on the spot
	@python -m benchmarks.rfe
	@python -m benchmarks.payoffs
	@python -m benchmarks.searches

ui: $(READY)  ## the MLflow UI on this folder's runs
	@fselect ui

docs: $(READY)  ## check the documentation: links, words of make, examples of commands
	@pytest tests/test_docs.py

constraints:  ## pin the newest versions that pyproject.toml allows (needs uv)
	@uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --upgrade \
	    $(foreach extra,pipeline tables dask team dev bench,--extra $(extra)) pyproject.toml -o $(CONSTRAINTS)

clean:  ## remove .venv and caches; studies stay (data/, reports/, .fselect/)
	@rm -rf $(VENV) $(OLDEST) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find fselect flows tests -name __pycache__ -prune -exec rm -rf {} +
