# Everything runs in .venv, on a PostgreSQL and a Redis of this checkout's own unless DATABASE_URL and REDIS_URL
# name others. Needs Python 3.11 or newer; PYTHON=python3.12 chooses one.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))) python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CHAOS_RUNS ?= 10
LOST_ANSWERS := $(wildcard tests/*/suppliers/*/test_lost_answers.py)
FUZZ_EXAMPLES ?= 200
ARGS ?=
SUPPLIERS ?=
# Test processes; each has a database of its own, and begins with neighbouring tests, which share what they start.
JOBS ?= 2
# Whatever starts here starts further Python processes, the suite a hundred: none should compile all of the code anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test lint format demo bench chaos fuzz pages lock

help: ## What there is
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

run: $(READY) ## Serve the API on 127.0.0.1:8000 (PORT=8001 chooses another)
	@exec $(BIN)/python -m config.embedded.run

test: $(READY) ## The whole suite; make test ARGS="-k wallet"
	@exec $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal $(ARGS)

lint: $(READY) ## Style, types, import directions, migrations
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python -m mypy apps config
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check

format: $(READY) ## Let ruff rewrite what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

demo: $(READY) ## One partner's journey, told in the terminal (SUPPLIERS=stub: with a live key, before stand-ins of the real suppliers)
	@SUPPLIERS=$(SUPPLIERS) exec $(BIN)/python -m tests.demo $(ARGS)

bench: $(READY) ## Ratios against plain Django and pgbench, in one run
	@exec $(BIN)/python -m tests.bench $(ARGS)

chaos: $(READY) ## Kill processes at every dangerous point (CHAOS_RUNS=10 times each)
	@exec $(BIN)/python -m pytest tests/chaos tests/bookings/test_races.py $(LOST_ANSWERS) -q --chaos-runs=$(CHAOS_RUNS) $(ARGS)

fuzz: $(READY) ## Requests made up from the OpenAPI document (FUZZ_EXAMPLES=200 for each operation)
	@exec $(BIN)/python -m pytest tests/fuzz -q --fuzz-examples=$(FUZZ_EXAMPLES) $(ARGS)

pages: $(READY) ## Every page in a browser: faults for axe, overflow, refusals of the policy
	@exec $(BIN)/python -m pytest tests/browser/test_pages.py -q --every-page $(ARGS)

lock: $(READY) ## Renew requirements.lock from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/python -m uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --extra embedded --extra dev --annotation-style line --output-file requirements.lock pyproject.toml

$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version if sys.version_info < (3, 11) else 0)'
	@echo "Installing into $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --requirement requirements.lock
	@touch $@
