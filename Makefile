# Everything runs in .venv, which `make` creates. PYTHON may name another interpreter (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test check hosts test-hosts test-hosts-full bench owner-eval mutants docs clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

demo: $(READY)
	rm -rf runs/demo
	$(BIN)/twintown run evidence --only 'finance/*' --agent auditor --agent reckless --out runs/demo

test: $(READY)
	$(BIN)/python -m pytest -q

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/twintown check
	$(BIN)/python -m pytest -q

hosts: $(READY)
	$(BIN)/python -m orchestrator.hosts.fetching

test-hosts: $(READY)
	$(BIN)/python -m tests.hosts

test-hosts-full: $(READY)
	$(BIN)/python -m tests.hosts --full

bench: $(READY)
	$(BIN)/python -m tests.bench

owner-eval: $(READY)
	$(BIN)/python -m tests.owner_eval

mutants: $(READY)
	$(BIN)/python -m tests.mutants

docs: $(READY)
	$(BIN)/python -m orchestrator.documenting

clean:
	rm -rf .venv runs bench.json
