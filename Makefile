# From a fresh clone on Debian or Ubuntu: `make demo` does the main job once, `make test` checks everything.
# Both first make what they need: the Python environment in .venv and a running Docker engine (as root they install it).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

BIN := .venv/bin
stage := . scripts/stage.sh; stage

# What `make demo` runs, after `evalwright setup` has fetched the local model and made the sandbox image.
DEMO_RUN := $(BIN)/evalwright run pass_at_k --model local --search tree --budget 10m
DEMO_AUDIT := $(BIN)/evalwright audit last

.PHONY: help demo test check setup engine clean

help:
	@echo 'make demo    replicate a small paper with a local model, then audit the run'
	@echo 'make test    make check, then all tests'
	@echo 'make check   ruff, formatting, types'
	@echo 'make setup   only the Python environment and the Docker engine'
	@echo 'make clean   remove the environment and all caches here; runs.db stays'

demo: setup
	$(BIN)/evalwright setup
	$(DEMO_RUN)
	$(DEMO_AUDIT)

test: check setup
	@$(BIN)/python -m pytest -n 2 --dist loadfile

check: .venv/.ready
	@$(stage) 'ruff check' $(BIN)/ruff check .
	@$(stage) 'ruff format' $(BIN)/ruff format --check .
	@$(stage) 'mypy' $(BIN)/mypy

setup: .venv/.ready engine

engine:
	@bash scripts/docker-engine.sh

.venv/.ready: pyproject.toml constraints.txt scripts/environment.sh
	@bash scripts/environment.sh

clean:
	rm -rf .venv .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
