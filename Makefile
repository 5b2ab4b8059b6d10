# Everything happens in .venv, which is made when it is missing and brought up to date when
# pyproject.toml has changed. Once that is done, no target but a changed set-up needs a network.

PYTHON ?= python3
STRICT ?=
JOBS ?=
CORES := $(shell nproc 2>/dev/null || echo 1)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The tests of a module stay together, so that they share what they have made; slow modules come first.
PYTEST := $(BIN)/pytest --dist loadfile --no-loadscope-reorder --numprocesses

# Tests start hundreds of programs, and each would compile what it imports anew.
unexport PYTHONDONTWRITEBYTECODE

# The tests that a person waits for while working; CONTRIBUTING.md describes the marks.
QUICK := not (process or oracle or browser or slow)

# Two makes at once take turns with the set-up, where the system has flock(1).
LOCK := $(if $(shell command -v flock 2>/dev/null),flock $(VENV)/.lock,)

.DEFAULT_GOAL := help
.PHONY: help play check test lint types-project types-tests manual clean

help:
	@echo 'make play            open the referee on a game of TicTacToe against an engine'
	@echo 'make check           check style and types, and run the quick tests'
	@echo 'make test            check style and types, and run all tests'
	@echo 'make test STRICT=1   the same, and a skipped test is a failure'
	@echo 'make test JOBS=1     the same, one test after the other; without it, several at once'
	@echo 'make lint            check style and types only'
	@echo 'make manual          make the text of the manual pages that the package has; needs mandoc'
	@echo 'make clean           remove whatever make, the tests and the tools have made'
	@echo
	@echo 'PYTHON=python3.12    the interpreter that .venv is made with; 3.11 or newer'

play: $(VENV)/.play
	@$(BIN)/ggtp sessions/tictactoe.ggtp

check: lint
	GGTP_STRICT=$(STRICT) $(PYTEST) $(or $(JOBS),$(CORES)) -m '$(QUICK)'

# Many of the tests that start processes wait most of the time: two workers for each core.
test: lint
	GGTP_STRICT=$(STRICT) $(PYTEST) $(or $(JOBS),$(shell expr 2 '*' $(CORES)))

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 types-project types-tests

# Two halves of lint, side by side.
types-project:
	$(BIN)/mypy ggtp rules engines examples

types-tests:
	$(BIN)/mypy --config-file tests/mypy.ini tests

# The text that `ggtp help` shows where there is no man(1); overstrikes, which mean bold, are taken out.
manual:
	for page in man/*.[1-8]; do \
	  mandoc -T ascii -I os=GGTP -O width=80 $$page | sed 's/.\x08//g' > ggtp/ui/manual/text/$${page##*/}.txt || exit 1; \
	done

clean:
	rm -rf $(VENV) build dist ggtp.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find ggtp rules engines tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps say what .venv was last made ready for. They follow one another, so that
# parallel targets never run two installations at once.

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'ggtp needs Python 3.11 or newer, and $(PYTHON) is not:' "$$($(PYTHON) --version 2>&1)" >&2; \
	  echo 'Name another interpreter: make PYTHON=python3.12' >&2; \
	  exit 1; }
	@echo 'Making $(VENV) with $(PYTHON)'
	@mkdir -p $(VENV)
	@$(LOCK) $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.made pyproject.toml
	@echo 'Installing ggtp into $(VENV)'
	@$(LOCK) $(PIP) install --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.play
	@echo 'Installing what the tests need into $(VENV)'
	@$(LOCK) $(PIP) install --editable '.[test]'
	@touch $@
