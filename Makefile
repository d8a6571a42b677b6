# make demo         play the sample fight, on a copy; without a terminal it prints a round of it
# make test         the tests            make check   lint, format, types, layers, docs, workflows
# make quick        the tests that reach what is changed, about a minute of them (BASE=main: all since main)
# make reach        which tests reach which module, for make quick: the whole suite once, with coverage
# make map          every module and what it is for (OF=mechanics: one package's)
# make browser      the players' page in a real Chromium, looked through by axe-core: both have to be there
# make axe          installs axe-core for that, by npm, into node_modules
# make coverage     that no branch of the log's code is without a test
# make mutate       changes one thing after another in it, the rules, the players' view: do tests notice?
# make torture      faults of every kind, many times: nothing lost, nothing misread
# make completions  what shells complete of its arguments, and its man page, from its parser
# make docs         the pages of docs as a site, in `site`: every link checked, the reference from docstrings
# make tables       the tables in docs that come of the program: rules, keys, commands
# make by-keys      which commands of tests/cases can't be given by keys, game by game: some minutes
# make imports COLLECTIONS="PATH ..."  imports whole collections, and compares them field by field
# make golden       what every command of tests/cases, the samples and the corpus comes to, as text to be read
# make release      checks all of a version, then tags it (VERSION=1.2.3; DRY=1 tags nothing)
# make screenshots  the pictures of the screens   make bench        the measurements
# make clean        remove what these made
#
# PYTHON=python3.12 chooses the interpreter; WORKERS=8 the number of test processes.
# Nothing here needs more than GNU make 3.81.

PYTHON  ?= python3
# Three times the cores of a small machine, since tests of the screen wait as much as they work.
WORKERS ?= 6
VENV    := .venv
PY      := $(VENV)/bin/python
PIP     := $(PY) -m pip --quiet --disable-pip-version-check
# The building tools (hatchling for affray; setuptools for argparse-manpage, which comes as source) are
# installed first, at their pinned versions, and used as they are: pip would otherwise fetch the
# newest ones for itself, past constraints.txt.
INSTALL := $(PIP) install --no-build-isolation -c constraints.txt
PINS    := pyproject.toml constraints.txt

.PHONY: help torture demo test browser axe by-keys quick reach map check coverage mutate completions docs tables imports golden release screenshots bench clean

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

demo: $(VENV)/.stamp-app
	@$(VENV)/bin/affray demo

test: $(VENV)/.stamp-test
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal

browser: $(VENV)/.stamp-test
	@$(PY) -m pytest --browser -m browser -n 2 --dist worksteal

# Pinned as the Python packages are in constraints.txt.
AXE := axe-core@4.14.1

axe:
	@npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix . $(AXE)

BASE ?=

quick: $(VENV)/.stamp-dev
	@$(PY) -m ruff check .
	@$(PY) -m pytest -q -x -n $(WORKERS) --dist worksteal $$($(PY) tests/quick.py $(BASE))

reach: $(VENV)/.stamp-dev
	@$(PY) -m pytest -q -n $(WORKERS) --dist worksteal -p tests.reach

map:
	@$(PYTHON) tests/map.py $(OF)

check: $(VENV)/.stamp-dev docs
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -m mypy docs/scripts/*.py
	@$(VENV)/bin/lint-imports
	@$(PY) -m check_jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(PY) -m check_jsonschema -q --builtin-schema vendor.dependabot .github/dependabot.yml
	@cd .github/ISSUE_TEMPLATE && ../../$(PY) -m check_jsonschema -q --builtin-schema vendor.github-issue-forms \
		bug.yml feature.yml rule.yml
	@$(PY) -m check_jsonschema -q --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	@$(PY) -m tests.package_page

coverage: $(VENV)/.stamp-dev
	@$(PY) -m coverage run -m pytest -q tests/store tests/core/test_history.py tests/test_library.py
	@$(PY) -m coverage report

mutate: $(VENV)/.stamp-dev
	@$(PY) -m tests.mutation.mutate --of log --workers $(WORKERS)
	@$(PY) -m tests.mutation.mutate --of rules --workers $(WORKERS)
	@$(PY) -m tests.mutation.mutate --of public --workers $(WORKERS)

SEED ?= 1

torture: $(VENV)/.stamp-test
	@$(PY) -m tests.torture --seed $(SEED)
	@PLAYERS_EXAMPLES=1000 $(PY) -m pytest -q -n 2 tests/serve/test_nothing_hidden.py \
		tests/serve/test_as_if_not_there.py

completions: $(VENV)/.stamp-test
	@$(PY) tests/shell/generate.py

docs: $(VENV)/.stamp-dev
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@echo "The site is in site/index.html; its search needs a server: $(PY) -m http.server -d site"

tables: $(VENV)/.stamp-test
	@$(PY) -m tests.docs_tables

by-keys: $(VENV)/.stamp-test
	@$(PY) -m tests.testing

COLLECTIONS ?=

imports: $(VENV)/.stamp-test
	@$(PY) -m benchmarks.imports $(COLLECTIONS)

golden: $(VENV)/.stamp-test
	@$(PY) -m tests.golden

release:
	@$(PYTHON) -m tests.release $(if $(DRY),--rehearse) $(or $(VERSION),'')

screenshots: $(VENV)/.stamp-dev
	@$(PY) -m screenshots.make

# BENCH=--quick takes about four minutes; BENCH=--write puts the last table into docs/measurements.md.
bench: $(VENV)/.stamp-dev
	@$(PY) -m benchmarks $(BENCH)

clean:
	@rm -rf $(VENV) .venv-newest __pycache__ build dist .benchmarks .coverage .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache node_modules site snapshot_report.html
	@find src tests benchmarks screenshots -type d -name __pycache__ -prune \
		-exec rm -rf {} + 2>/dev/null || true

# A stamp is newer than the two files that say what is installed, or the step is done again. The
# installation is editable, so a change of the source needs no step at all.
$(VENV)/.stamp-venv: $(PINS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "affray needs Python 3.11 or later: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install -c constraints.txt hatchling
	@touch $@

$(VENV)/.stamp-app: $(VENV)/.stamp-venv
	@echo "Installing affray"
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-venv
	@echo "Installing affray and what its tests need"
	@$(PIP) install -c constraints.txt setuptools
	@$(INSTALL) -e '.[test]'
	@touch $@ $(VENV)/.stamp-app

$(VENV)/.stamp-dev: $(VENV)/.stamp-test
	@echo "Installing the developers' tools"
	@$(INSTALL) -e '.[test,dev,docs]'
	@touch $@
