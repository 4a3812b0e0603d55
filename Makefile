# One place for what people, hooks and CI run. Everything is installed into .venv and var, nothing elsewhere.

SHELL := /bin/sh
.DEFAULT_GOAL := help
SEARCH ?= postgres
ARGS ?=
ENGINE ?= postgres
DATASET ?= lifecycle

# Any Python can run the script that looks for one that is new enough (or takes PYTHON).
SYSTEM_PYTHON := $(or $(PYTHON),$(shell for name in python3 python3.13 python3.12 python3.11; do command -v $$name && break; done))
VENV = exec $(or $(SYSTEM_PYTHON),sh -c 'echo "mneme: Python 3.11 or later is needed: install it, or name one by make PYTHON=/path/to/python3" >&2; exit 1') -I memory_site/stack/venv.py
RUN = $(VENV) run --
DEV = $(VENV) dev --
STACK = -m memory_site.stack --with-parent $$PPID

# What Django's checks, and mypy which asks Django, need of an environment; no server is asked.
NO_SERVERS = env SECRET_KEY=for-checks-only-for-checks-only-for-checks-only-0123456789 \
	ENGINE_KEYS=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= DEBUG=false DATABASE_POOL_SIZE=0 \
	DATABASE_URL=postgresql://nobody:nothing@127.0.0.1:1/none PYTHONWARNINGS=ignore::RuntimeWarning

.PHONY: help run manage test test-browser test-engines check fmt-check fmt lint types rooms migrations deploy-check bench-recall bench-consolidation lock clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## Start everything and replay the samples; ARGS=--once stops then, SEARCH=elasticsearch searches there
	@$(RUN) $(STACK) run --search $(SEARCH) $(ARGS)

manage: ## Run manage.py against what `make run` has started: ARGS="issue_key acme --ability compliance"
	@$(RUN) -m memory_site.stack manage $(ARGS)

test: ## Run the tests that need nothing installed; ARGS= goes to pytest
	@$(DEV) -m pytest -m "not engines and not browser" $(ARGS)

test-browser: ## Click through the pages in a real Chromium (installed, or named by CHROMIUM); ARGS= goes to pytest
	@$(DEV) -m pytest -m browser $(ARGS)

test-engines: ## Run the tests on a real Elasticsearch (needs Java 21 and Maven); ARGS= goes to pytest
	@$(DEV) $(STACK) elasticsearch exec -m pytest -m engines $(ARGS)

check: fmt-check lint types rooms migrations deploy-check ## Run all checks

fmt-check: ## Check the formatting
	@$(DEV) -m ruff format --check .

fmt: ## Format the code and sort the imports
	@$(DEV) -m ruff check --select I --fix .
	@$(DEV) -m ruff format .

lint: ## Look for faults in the code
	@$(DEV) -m ruff check .

types: ## Check the types
	@$(NO_SERVERS) sh -c '$(DEV) -m mypy .'

rooms: ## Check who imports whom
	@$(DEV) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

migrations: ## Check that no migration is missing
	@$(NO_SERVERS) sh -c '$(DEV) manage.py makemigrations --check --dry-run'

deploy-check: ## Run Django's checks for production
	@$(NO_SERVERS) sh -c '$(DEV) manage.py check --deploy --fail-level WARNING'

bench-recall: ## Measure recall: DATASET=lifecycle, or another with DATA=FILE; ENGINE=postgres or elasticsearch
	@$(RUN) -m benchmarks.recall_quality --dataset $(DATASET) $(if $(DATA),--data $(DATA)) --engine $(ENGINE) $(ARGS)

bench-consolidation: ## Measure consolidation on the labelled set; ARGS="--faults --data FILE"
	@$(RUN) -m benchmarks.consolidation --engine $(ENGINE) $(ARGS)

lock: ## Resolve the lock files anew
	@$(DEV) -m pip install -q --no-cache-dir uv==0.13.9
	@$(DEV) -m uv pip compile --no-cache --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q requirements.txt -o requirements.lock
	@$(DEV) -m uv pip compile --no-cache --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	@$(DEV) -m uv pip compile --no-cache --universal --no-deps --python-version 3.11 --generate-hashes --no-header --no-annotate -q requirements-models.txt -o requirements-models.lock

clean: ## Remove .venv, var and all caches, data and keys included
	@for note in var/*/elsewhere var/*/*/elsewhere; do if [ -f "$$note" ]; then rm -rf "$$(cat "$$note")"; fi; done
	@rm -rf .venv var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
