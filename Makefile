# `make walk` and `make test` work on a fresh machine: the first run sets up what is missing.
# PYTHON chooses the interpreter (3.11 or newer), WORKERS the number of test processes, SEED the cases of `make fuzz`.

WORKERS ?= 2
SEED ?= 1
ARGS ?=

bin := .venv/bin
# Walking needs a few packages, testing many more: two stamps, so that a first walk does not wait for the others.
stamp := .venv/.ctrlgraph-ready
tools := .venv/.ctrlgraph-tools
inputs := pyproject.toml constraints.txt scripts/setup.sh

.DEFAULT_GOAL := help
.PHONY: help setup walk test test-all matrix coverage fuzz lint format gate bench docs build clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):[^#]*## (.*)/make \1|\2/' | \
		while IFS='|' read -r target text; do printf '  %-12s %s\n' "$$target" "$$text"; done

setup: $(tools) ## install what is missing: libode, .venv, the package, and all that the targets below need

$(stamp): $(inputs)
	@EXTRAS=report,web sh scripts/setup.sh
	@touch $@

$(tools): $(inputs)
	@sh scripts/setup.sh
	@touch $(stamp) $@

walk: $(stamp) ## a random walkthrough of the graph (more options: make walk ARGS="--transitions 50")
	@$(bin)/ctrlgraph walk --random $(ARGS)
	@test "$$VIRTUAL_ENV" = "$(CURDIR)/.venv" || echo "to use ctrlgraph in this shell: . $(bin)/activate"

test: $(tools) ## the tests that go with every commit (make test ARGS="tests/view -x" runs some)
	@$(bin)/python -m pytest -n $(WORKERS) -m "not slow" $(ARGS)

test-all: $(tools) ## the slow tests too, as continuous integration runs them
	@$(bin)/python -m pytest -n $(WORKERS) $(ARGS)

matrix: ## make test under every supported Python that is found, each in a .venv-VERSION (VERSIONS="3.12 3.13" chooses)
	@WORKERS=$(WORKERS) sh scripts/matrix.sh $(ARGS)

# Kernels count only where they run as plain Python: their tests run a second time, without compilation.
coverage: $(tools) ## which lines the quick tests run, by package
	@$(bin)/coverage erase
	@$(bin)/coverage run -m pytest -m "not slow" $(ARGS)
	@$(bin)/coverage combine --quiet
	@$(bin)/python scripts/coverage_table.py

# Each kind by itself: python tests/fuzz/KIND.py --count N --seed S [--first N] [--jobs N] [--keep DIR]
fuzz: $(tools) ## the whole of the fuzzers, hours of work (SEED=n for other cases)
	$(bin)/python tests/fuzz/scripts.py --count 100000 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/yaml_files.py --count 20000 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/mjcf_files.py --count 20000 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/checkpoints.py --count 20000 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/simulations.py --count 1000 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/environments.py --count 400 --seed $(SEED) --jobs $(WORKERS)
	$(bin)/python tests/fuzz/kills.py --count 100 --seed $(SEED) --jobs $(WORKERS)

lint: $(tools) ## style, format, types, and the floors of the house
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

format: $(tools) ## put the code into the one format
	$(bin)/ruff check --fix .
	$(bin)/ruff format .

gate: $(stamp) ## whether the graph is as reliable as gate.yaml requires, and its conditions hold for no other motion
	@$(bin)/ctrlgraph gate check --jobs $(WORKERS) $(ARGS)
	@$(bin)/ctrlgraph gate confusion

bench: $(stamp) ## what a simulation step costs
	@$(bin)/ctrlgraph doctor --bench $(ARGS)

docs: $(tools) ## the documentation as a site, in site/: open site/index.html
	@$(bin)/python scripts/commands_reference.py
	@NO_MKDOCS_2_WARNING=1 $(bin)/python -m mkdocs build --quiet
	@echo site/index.html

build: $(stamp) ## a wheel, in dist/
	$(bin)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove what the set-up, the tests and the build made (runs/ stays)
	rm -rf .venv .venv-* dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .grimp_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
