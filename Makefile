# `make walk` and `make test` work in a new checkout: the first run installs what is missing.
# PYTHON selects the interpreter (3.11 or newer), WORKERS the number of test processes, SEED the cases of `make fuzz`.

WORKERS ?= 2
SEED ?= 1
ARGS ?=

bin := .venv/bin
# Two stamps: walking needs few packages, testing many more, and a first walk does not wait for those.
stamp := .venv/.ctrlgraph-ready
tools := .venv/.ctrlgraph-tools
inputs := pyproject.toml constraints.txt scripts/setup.sh

.DEFAULT_GOAL := help
.PHONY: help setup walk test test-all matrix coverage fuzz lint format gate bench docs build clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):[^#]*## (.*)/make \1|\2/' | \
		while IFS='|' read -r target text; do printf '  %-12s %s\n' "$$target" "$$text"; done

setup: $(tools) ## install libode, .venv, the package, and the tools of the targets below

$(stamp): $(inputs)
	@EXTRAS=report,web sh scripts/setup.sh
	@touch $@

$(tools): $(inputs)
	@sh scripts/setup.sh
	@touch $(stamp) $@

walk: $(stamp) ## walk the graph at random (with options: make walk ARGS="--transitions 50")
	@$(bin)/ctrlgraph walk --random $(ARGS)
	@test "$$VIRTUAL_ENV" = "$(CURDIR)/.venv" || echo "to use ctrlgraph in this shell: . $(bin)/activate"

test: $(tools) ## run the quick tests (some of them: make test ARGS="tests/pictures -x")
	@$(bin)/python -m pytest -n $(WORKERS) -m "not slow" $(ARGS)

test-all: $(tools) ## run all tests, as continuous integration does
	@$(bin)/python -m pytest -n $(WORKERS) $(ARGS)

matrix: ## run the quick tests under every supported Python that is found, each in .venv-VERSION (VERSIONS="3.12 3.13" selects)
	@WORKERS=$(WORKERS) sh scripts/matrix.sh $(ARGS)

# Coverage of kernels is measured in plain Python: their tests run a second time, without compilation.
coverage: $(tools) ## measure the coverage of the quick tests, by package
	@$(bin)/coverage erase
	@$(bin)/coverage run -m pytest -m "not slow" $(ARGS)
	@$(bin)/coverage combine --quiet
	@$(bin)/python scripts/coverage_table.py

# Some of them: python tests/fuzz KIND... --count N --seed S [--first N] [--jobs N] [--keep DIR]
fuzz: $(tools) ## run all fuzzers, which takes hours (SEED=n for other cases)
	$(bin)/python tests/fuzz --seed $(SEED) --jobs $(WORKERS)

lint: $(tools) ## check style, format, types and import contracts
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

format: $(tools) ## format the code
	$(bin)/ruff check --fix .
	$(bin)/ruff format .

gate: $(stamp) ## check the reliability that gate.yaml requires, and that conditions describe one motion
	@$(bin)/ctrlgraph gate check --jobs $(WORKERS) $(ARGS)
	@$(bin)/ctrlgraph gate confusion

bench: $(stamp) ## measure the cost of a simulation step
	@$(bin)/python benchmarks/step.py $(ARGS)

docs: $(tools) ## build the documentation as a site: site/index.html
	@$(bin)/python scripts/commands_reference.py
	@NO_MKDOCS_2_WARNING=1 $(bin)/python -m mkdocs build --quiet
	@echo site/index.html

build: $(stamp) ## build a wheel in dist/
	$(bin)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove .venv, caches and build results (runs/ is kept)
	rm -rf .venv .venv-* dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .grimp_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
