# The targets of this repository, which `make help` lists. Each target first installs what it needs into .venv.
# Requires a POSIX shell and GNU make 3.81 or newer.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
BIN := $(VENV)/bin
GENERATING := $(VENV)/.generating
INSTALLED := $(VENV)/.installed
SPARK := $(VENV)/.spark
DIST := $(VENV)/.dist
WHEELS_VENV := .cache/wheels-venv
WHEELS := $(WHEELS_VENV)/.installed
SPARK_WHEEL := $(WHEELS_VENV)/.spark
LOCK_VENV := .cache/lock-venv
NATIVE := $(VENV)/.native
# The versions of all packages to install, with hashes; `make lock` writes these files.
PINS := release/constraints
export CARGO_TARGET_DIR ?= $(CURDIR)/.cache/native-target
# Each of these folders is a distribution. All are installed as editable.
PROJECTS := . generated client testing pipeline
PROJECT_FILES := $(patsubst ./%,%,$(PROJECTS:%=%/pyproject.toml))

# Keep bytecode: tests start hundreds of Python processes, and each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

# Use only what release/constraints/ pins: no system-wide node, and no checks for newer releases.
export PYRIGHT_PYTHON_GLOBAL_NODE := off
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Skip compiling, which takes a third of an installation. Python compiles each module when it is first imported.
PIP_LOCKED := -I -m pip install --quiet --require-hashes --no-compile
# Install what the tests need with uv, which takes a third of pip's time.
UV_LOCKED := $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes

# PySpark is only published as sources, so installing builds a wheel. Skip compression, because half a gigabyte of jars
# does not get smaller.
STORED_SPARK := --config-settings-package pyspark:--build-option=--compression=stored
# Each installation of PySpark leaves 1.9 GB in uv's cache, and later installations do not reuse it.
PRUNE_UV := $(BIN)/uv cache prune --quiet

# The interpreter for .venv: PYTHON=... if set, otherwise the oldest supported version, because code that works on it
# also works on newer versions.
PYTHON ?=
FIND_PYTHON = for python in $(if $(PYTHON),"$(PYTHON)",python3.11 python3.12 python3.13 python3.14 python3 python); do \
    "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && break; \
    python=; \
  done; \
  if [ -z "$$python" ]; then \
    echo "make: no Python 3.11 or newer with its venv module was found$(if $(PYTHON), at $(PYTHON));" \
      "install one (on Debian and Ubuntu also python3-venv) or name it: make PYTHON=/path/to/python3.12 ..." >&2; \
    exit 1; \
  fi

# With PYTHON=..., an environment of a different Python is rebuilt: $(call remade,FOLDER) is then `other-python`.
IDENTITY := import sys; print(sys.version, sys.base_prefix)
remade = $(if $(PYTHON),$(shell \
  [ "$$('$(PYTHON)' -c '$(IDENTITY)' 2>&1)" = "$$('$(1)/bin/python' -c '$(IDENTITY)' 2>&1)" ] || echo other-python))

.PHONY: other-python
other-python:

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile benchmarks/bench.mk

# Generating needs neither the requirements of tests nor an installed messagegen.
.PHONY: generate
generate: $(GENERATING) ## write generated/ from message_specs/
	PYTHONPATH=generator $(BIN)/python -m messagegen.cli generate

# Use one worker more than cores, because tests with brokers or Spark wait a lot. With even more workers, Spark times
# out on slow Python workers.
WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
SPARK_ARCHIVE := .cache/spark.jsa
HAS_JDK = $(shell [ "$$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')" -ge 17 ] 2>/dev/null && java -version >/dev/null 2>&1 && echo yes)
HAS_CARGO = $(shell command -v cargo 2>/dev/null)
# Whether the crates have been downloaded, so that Cargo needs no network.
HAS_CRATES = $(shell cargo metadata --offline --locked --format-version 1 --manifest-path native/Cargo.toml >/dev/null 2>&1 && echo yes)
ENGINE = $(if $(HAS_CARGO),$(NATIVE) $(if $(HAS_JDK),$(JAR)),native)

PYTEST = $(BIN)/pytest -n $(WORKERS) --dist loadgroup

.PHONY: test
test: prepared ## style, drift, and all tests that are not slow; those that lack Java, Maven, Rust or a browser are skipped
	$(PYTEST) -m "not slow"

# Checks that tests do not need, and those that CI adds, run beside all tests, because tests wait for brokers and Spark,
# and alone would leave a third of the processor time unused. These checks have the lowest priority, because tests with
# deadlines must not wait for them.
ALSO :=
# The longest checks come first, so that the last two finish at about the same time.
BESIDE = $(ALSO) $(if $(HAS_CARGO),rust-lint rust-test) $(if $(HAS_JDK),mypy pyright,typecheck-without-spark) lint
BESIDE_LOG := .cache/beside.log
# Use a variable with a different name, because `make -n` runs each line that contains `$(MAKE)`.
MAKE_BESIDE = nice -n 19 $(MAKE) --no-print-directory -j 2 --keep-going

# If nothing fails, the last line is pytest's summary. In a shell without job control, Ctrl-C does not reach the checks
# beside the tests, so the shell stops them when it exits.
.PHONY: test-all
test-all: BEFORE := drift
test-all: prepared ## what test and check do, and tests on all releases, clusters and new installations, as in CI
	@mkdir -p $(dir $(BESIDE_LOG)); \
	echo "make: $(strip $(BESIDE)) run beside the tests; their output is in $(BESIDE_LOG)"; \
	$(MAKE_BESIDE) $(BESIDE) >$(BESIDE_LOG) 2>&1 & beside=$$!; \
	trap 'kill $$beside 2>/dev/null' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM; \
	MESSAGEGEN_HYPOTHESIS=full $(PYTEST); tests=$$?; \
	if ! wait $$beside; then \
	  cat $(BESIDE_LOG); \
	  echo "make: a check beside the tests failed; its output is above" >&2; \
	  exit 1; \
	fi; \
	exit $$tests

# Install Spark only if Java is installed: Spark is large, and useless without Java.
BEFORE := drift lint
.PHONY: prepared
prepared:
	@$(MAKE) --no-print-directory -j 2 $(if $(HAS_JDK),$(SPARK) $(if $(HAS_CARGO),libraries),$(INSTALLED))
	@$(MAKE) --no-print-directory -j 4 $(ENGINE) $(BEFORE) $(if $(HAS_JDK),$(SPARK_ARCHIVE))

# SEED repeats a run. SECONDS limits the time of the tests; each fuzzer gets a sixth of it.
.PHONY: test-thorough
test-thorough: java-tools native $(INSTALLED) ## random seeds and many examples (SEED=7 repeats a run, SECONDS=60 limits it)
	@seed=$${SEED:-$$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}; \
	echo "make test-thorough: repeat it with SEED=$$seed"; \
	set -e; \
	MESSAGEGEN_HYPOTHESIS=$(if $(SECONDS),random,thorough) MESSAGEGEN_SEED=$$seed $(BIN)/pytest -n auto --dist loadgroup \
	  -m "not spark and (hypothesis or random)" --hypothesis-seed "$$seed" $(if $(SECONDS),--seconds $(SECONDS)); \
	if command -v cargo >/dev/null && command -v gcc >/dev/null && [ -e "$$(gcc -print-file-name=libasan.so)" ]; then \
	  $(MAKE) --no-print-directory fuzz-jvm FUZZ="--seed $$seed $(if $(SECONDS),--seconds $$(($(SECONDS) / 6)),$(FUZZ))"; \
	else \
	  echo "make: cargo or gcc's sanitizer is not installed, skipping the fuzzers"; \
	fi; \
	if command -v cargo >/dev/null && [ -n "$(HAS_JDK)" ]; then \
	  $(MAKE) --no-print-directory draws DRAWS="--seed $$seed $(if $(SECONDS),--seconds $$(($(SECONDS) / 6)))"; \
	fi

.PHONY: test-pythons
test-pythons: $(INSTALLED) ## the tests of generated code on every installed Python since 3.11, also free-threaded ones
	$(BIN)/python -m tests.support.pythons

.PHONY: spark
spark: native $(SPARK) ## install PySpark and, if cargo is available, the native engine

# The libraries for Python and the JVM are compiled together, in Cargo's profile `dev`. It compiles faster than
# `release`, the profile of wheels and benchmarks, and recompiles only changes. If they were compiled separately, or
# with different variables than maturin sets, Cargo would compile nearly all crates twice.
SIGNATURE := import sys; bits = sys.maxsize.bit_length() + 1; \
  print("%s-%d.%d-%dbit" % (sys.implementation.name, *sys.version_info[:2], bits))
LIKE_MATURIN = PYO3_BUILD_EXTENSION_MODULE=1 PYO3_PYTHON="$(CURDIR)/$(BIN)/python" \
  PYO3_ENVIRONMENT_SIGNATURE="$$($(BIN)/python -c '$(SIGNATURE)')"
BUILD_LIBRARIES = $(LIKE_MATURIN) cargo build --quiet --locked --lib --manifest-path native/Cargo.toml \
  --package messagegen-native --package messagegen-jni

# `prepared` compiles the libraries while packages are installed.
.PHONY: libraries
libraries: $(GENERATING)
	$(BUILD_LIBRARIES)

# This jar contains only the library for this system. The jar of a release contains the libraries for all systems.
JAR := pipeline/messagegen_spark/jvm/kafka-log.jar
.PHONY: jar
jar: $(JAR) ## build the jar of Spark's source kafka-log (needs cargo and javac)
$(JAR): $(SPARK) $(NATIVE) release/jar.py LICENSE native/THIRD-PARTY-LICENSES $(wildcard pipeline/java/messagegen/spark/*.java)
	$(BUILD_LIBRARIES)
	$(BIN)/python -m release.jar --profile dev $(CARGO_TARGET_DIR)/debug/libmessagegen_jni.so

.PHONY: native
native: $(INSTALLED) ## build and install the native engine, if cargo is available
	@if command -v cargo >/dev/null; then \
	  $(MAKE) --no-print-directory $(NATIVE); \
	else \
	  echo "make: cargo is not on the PATH, skipping the native engine and its tests"; \
	fi

# FUZZ limits each fuzzer: CI runs `make fuzz-jvm FUZZ="--seconds 10"`, in seconds of CPU time. `FUZZ="--seed 7"`
# repeats a failure.
# The build is hardly optimized, because in CI an optimized build took several times as long as the fuzzers run.
# Sanitizers are unstable in rustc, so RUSTC_BOOTSTRAP is set. Python is not built with a sanitizer, so gcc's runtime is
# preloaded.
ASAN := .cache/asan
FUZZ ?= --seconds 600 --most 10000000
FUZZERS := fuzz fuzz_columns fuzz_records fuzz_values fuzz_plans fuzz_files
.PHONY: fuzz
fuzz: $(SPARK) ## run damaged messages, columns and logs through the native engine, built with AddressSanitizer
	RUSTC_BOOTSTRAP=1 PYO3_PYTHON="$(CURDIR)/$(BIN)/python" CARGO_TARGET_DIR=$(ASAN)/target \
	  RUSTFLAGS="-Zsanitizer=address -Zexternal-clangrt -Clink-arg=-lasan -Cdebug-assertions=on" \
	  cargo build --quiet --release --locked --lib --no-default-features --manifest-path native/Cargo.toml \
	  --package messagegen-native --package messagegen-jni \
	  --config profile.release.lto=false --config profile.release.codegen-units=16 --config profile.release.opt-level=1 \
	  --target "$$(rustc -vV | sed -n 's/^host: //p')"
	cp $(ASAN)/target/*/release/libmessagegen_native.so $(ASAN)/messagegen_native.so
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=64 PYTHONMALLOC=malloc \
	  PYTHONPATH=$(ASAN) sh -ec 'for fuzzer in $(FUZZERS); do $(BIN)/python -m tests.native.$$fuzzer $(FUZZ); done'

.PHONY: fuzz-jvm
fuzz-jvm: fuzz ## the same, and then damaged logs through the door of the JVM
	$(BIN)/python -m tests.spark.jvm.fuzz --library "$$(ls $(ASAN)/target/*/release/libmessagegen_jni.so)" $(FUZZ)

# `DRAWS="--seed 7 --first 123 --draws 1"` repeats one draw.
DRAWS ?= --draws 2000
.PHONY: draws
draws: $(JAR) ## compare random schemas and queries of Spark's source kafka-log with its whole tables
	$(BIN)/python -m tests.spark.jvm.schema_draws $(DRAWS)

# This does not install Spark. If Spark is missing, type checkers skip the code that needs it.
# Two minutes on two cores: the tests run beside the checks, with three cases each, and pyright leaves out the tests,
# which mypy checks. `make test-all` leaves out nothing.
PRODUCT := generator generated client testing pipeline release benchmarks docs
.PHONY: check quick-tests
check: $(INSTALLED) ## style, types, Rust's checks, drift, and three cases of each fast test: no Java, Spark or network
	@$(MAKE) --no-print-directory -j 4 PYRIGHT="$(PRODUCT)" quick-tests \
	  $(if $(wildcard $(SPARK)),pyright mypy,typecheck-without-spark) drift lint $(if $(HAS_CRATES),rust-lint rust-test)

quick-tests: $(INSTALLED)
	MESSAGEGEN_HYPOTHESIS=quick $(BIN)/pytest -n auto --dist loadgroup --cases 3 -m "not slow and not java and not spark"

# With --diff, black would not use its cache, which saves more than a minute.
.PHONY: lint
lint: $(INSTALLED) ## check formatting and style
	$(BIN)/black --check --quiet . || { $(BIN)/black --diff --quiet .; exit 1; }
	$(BIN)/ruff check .
	$(BIN)/python -m tests.support.style
	$(BIN)/python -m tests.support.english

# This runs after building the engine, because clippy uses the engine's compiled C libraries.
.PHONY: rust-lint
rust-lint: $(NATIVE) ## check formatting and style of the native engine, with what rustup has installed
	@if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check --manifest-path native/Cargo.toml; fi
	@if cargo clippy --version >/dev/null 2>&1; then \
	  $(LIKE_MATURIN) cargo clippy --quiet --locked --workspace --all-targets --manifest-path native/Cargo.toml \
	    -- -D warnings; \
	fi

# The library for Python is omitted: it has no tests in Rust, and linking them would need a shared library of Python.
.PHONY: rust-test
rust-test: $(NATIVE) ## run the tests of the native engine that are written in Rust
	$(LIKE_MATURIN) cargo test --quiet --locked --lib --manifest-path native/Cargo.toml \
	  --package messagegen-core --package messagegen-jni

.PHONY: typecheck mypy pyright
typecheck: mypy pyright ## check types with mypy and pyright

mypy: $(SPARK)
	$(BIN)/mypy

# PYRIGHT names folders; by default, all are checked.
PYRIGHT :=
pyright: $(SPARK)
	$(BIN)/pyright $(PYRIGHT)

NO_SPARK = generator generated client testing pipeline/messagegen_arrow docs $(wildcard benchmarks/*.py tests/*.py) \
  $(filter-out tests/spark tests/benchmarks,$(patsubst %/__init__.py,%,$(wildcard tests/*/__init__.py)))
.PHONY: typecheck-without-spark
typecheck-without-spark: $(INSTALLED)
	$(BIN)/mypy --follow-imports=silent --cache-dir .mypy_cache/without-spark $(NO_SPARK)
	$(BIN)/pyright $(NO_SPARK)

.PHONY: drift
drift: $(INSTALLED) ## check that generated/ is up to date with message_specs/
	$(BIN)/messagegen generate --check

.PHONY: format
format: $(INSTALLED) ## format the code and apply ruff's fixes
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/black --quiet .

# Tests run in one process, because several tests write parts of the same page.
.PHONY: golden
golden: $(SPARK) ## rewrite the golden files of the tests, for review; lists those whose tools are missing
	$(BIN)/pytest --update-golden

# The site is built from scratch, because unchanged pages would keep an old navigation.
.PHONY: docs-site
docs-site: $(INSTALLED) ## build the site of the documentation in build/site; fails on dead links and unlisted pages
	rm -rf build/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --conf-dir docs/website \
	  --doctree-dir .cache/site . build/site
	$(BIN)/python -m docs.website.playground build/site/playground
	@echo "Open build/site/index.html in a browser"

.PHONY: playground
playground: $(INSTALLED) ## build the playground in build/playground, and serve it (PORT=8001)
	$(BIN)/python -m docs.website.playground build/playground --serve $(or $(PORT),8000)

.PHONY: peers
peers: java-tools $(INSTALLED) ## install other libraries, and write docs/conformance.md (needs cargo, Go, npm, Java; 4 minutes)
	$(BIN)/python -m tests.peers

.PHONY: fixtures
fixtures: java-tools $(INSTALLED) ## rewrite the fixtures from Apache's Java classes
	$(BIN)/python -m tests.oracle.make_fixtures

# KIT limits the kit: make conformance-kit KIT="--release 4.4.0 --message 'ApiVersions*'".
.PHONY: conformance-kit
conformance-kit: java-tools $(INSTALLED) ## build the archive of bytes for tests of other implementations in build/conformance-kit (KIT=...)
	$(BIN)/python -m tests.conformance.kit $(KIT)

# DIST_FLAGS limits the build: make dist DIST_FLAGS="--python 3.12 --target x86_64-unknown-linux-gnu".
.PHONY: dist
dist: $(DIST) ## build and check all distributions of the last commit in dist/ (DIST_FLAGS=...)
	$(BIN)/python -m release build $(DIST_FLAGS)

.PHONY: dist-jar
dist-jar: $(DIST) ## build only the jar for Spark of the last commit in dist/, for Linux on x86-64 and Arm
	$(BIN)/python -m release jar $(DIST_FLAGS)

# The next three targets do not need the environment of the tests.
.PHONY: wheels
wheels: $(WHEELS) ## build the distributions of Python code of the last commit in dist/, in some seconds
	$(WHEELS_VENV)/bin/python -m release build --no-native

.PHONY: engine-wheel
engine-wheel: $(WHEELS) ## build the wheel of the native engine for PYTHON in dist/, in some minutes (needs Rust)
	$(WHEELS_VENV)/bin/python -m release engine $(if $(PYTHON),--python "$(PYTHON)")

.PHONY: spark-wheel
spark-wheel: $(SPARK_WHEEL) ## build the wheel of the pipeline with the jar for Spark in dist/, in some minutes (needs Rust and a JDK)
	$(WHEELS_VENV)/bin/python -m release spark

.PHONY: test-dist
test-dist: $(DIST) ## install dist/ into new environments: generated code on every Python found, and the quickstarts
	$(BIN)/python -m tests.support.installed dist
	$(BIN)/python -m tests.support.quickstarts dist

# CI builds on several systems, and collects the results in one folder.
.PHONY: finish-dist
finish-dist: $(DIST)
	$(BIN)/python -m release finish "$(PARTS)"

.PHONY: changelog
changelog: $(INSTALLED) ## check the changelog against version and tags (TAG=v0.2.0: and that it is ready for this one)
	$(BIN)/python -m release changelog $(if $(TAG),--tag "$(TAG)")

# actionlint is a Go program. Its package on PyPI would download the program from a different host.
ACTIONLINT := .cache/actionlint/bin/actionlint
.PHONY: workflows
workflows: $(ACTIONLINT) ## lint the workflows with actionlint (needs Go)
	$(ACTIONLINT) .github/workflows/*.yml

$(ACTIONLINT):
	GOBIN="$(CURDIR)/$(dir $@)" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# `make lock` keeps pins that still fit; `make lock UPGRADE=--upgrade` upgrades all pins.
# Our own distributions are excluded, because they are not on an index.
OURS := $(LOCK_VENV)/ours.txt
OUR_NAMES := messagegen messagegen-kafka messagegen-client messagegen-testing messagegen-pipeline messagegen-native
COMPILED = $(LOCK_VENV)/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-annotate --custom-compile-command 'make lock' $(UPGRADE) --quiet
LOCKED = $(COMPILED) --excludes $(OURS)
.PHONY: lock
lock: ## rewrite release/constraints/ from the project files (UPGRADE=--upgrade: newest versions)
	@set -e; $(FIND_PYTHON); "$$python" -I -m venv $(LOCK_VENV)
	$(LOCK_VENV)/bin/python $(PIP_LOCKED) -r $(PINS)/uv.txt
	printf '%s\n' $(OUR_NAMES) >$(OURS)
	$(COMPILED) --group lock --output-file $(PINS)/uv.txt
	$(LOCKED) $(PROJECT_FILES) --extra specs --group dev --output-file $(PINS)/dev.txt
	$(LOCKED) pyproject.toml --constraints $(PINS)/dev.txt --output-file $(PINS)/generate.txt
	$(LOCKED) $(PROJECT_FILES) --extra spark --extra specs --group dev --group spark-dev \
	  --constraints $(PINS)/dev.txt --output-file $(PINS)/spark.txt
	$(LOCKED) pyproject.toml client/pyproject.toml --group test \
	  --constraints $(PINS)/dev.txt --output-file $(PINS)/test.txt
	$(LOCKED) --group build --constraints $(PINS)/dev.txt --output-file $(PINS)/build.txt
	$(LOCKED) --group wheels --constraints $(PINS)/dev.txt --output-file $(PINS)/wheels.txt
	$(LOCKED) --group spark-wheel --constraints $(PINS)/spark.txt --output-file $(PINS)/spark-wheel.txt
	$(LOCKED) --group dist --constraints $(PINS)/spark.txt --output-file $(PINS)/dist.txt

.PHONY: clean
clean: ## remove .venv, caches and build results
	rm -rf $(VENV) .venv-bench .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is removed first and created last, so that .venv is rebuilt after an interrupted installation.
$(GENERATING): $(PINS)/generate.txt $(call remade,$(VENV))
	@set -e; $(FIND_PYTHON); \
	echo "installing what generating needs, as pinned in $<, into $(VENV), with $$("$$python" -V)"; \
	if [ -z "$(filter other-python,$^)" ] && [ -f $@ ] && $(BIN)/python -c ''; then \
	  rm -f $@; \
	else \
	  "$$python" -I -m venv --clear $(VENV); \
	fi
	$(BIN)/python $(PIP_LOCKED) -r $<
	@touch $@

$(INSTALLED): $(GENERATING) $(PINS)/dev.txt $(PINS)/uv.txt $(PROJECT_FILES)
	@echo "installing what tests need, as pinned in $(PINS)/dev.txt, into $(VENV)"
	@$(BIN)/python $(PIP_LOCKED) -r $(PINS)/uv.txt
	$(UV_LOCKED) -r $(PINS)/dev.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation $(PROJECTS:%=-e ./%)
	@touch $@

# Spark has its own target, because it is large, and generating code does not need it.
$(SPARK): $(INSTALLED) $(PINS)/spark.txt
	@echo "installing the PySpark version pinned in $(PINS)/spark.txt into $(VENV)"
	$(UV_LOCKED) $(STORED_SPARK) -r $(PINS)/spark.txt
	@$(PRUNE_UV)
	@touch $@

$(DIST): $(SPARK) $(PINS)/dist.txt
	@echo "installing zig and what checks distributions, as pinned in $(PINS)/dist.txt, into $(VENV)"
	$(UV_LOCKED) -r $(PINS)/dist.txt
	@touch $@

$(WHEELS): $(PINS)/wheels.txt $(call remade,$(WHEELS_VENV))
	@set -e; $(FIND_PYTHON); \
	echo "installing what building wheels needs, as pinned in $<, into $(WHEELS_VENV), with $$("$$python" -V)"; \
	"$$python" -I -m venv --clear $(WHEELS_VENV)
	$(WHEELS_VENV)/bin/python $(PIP_LOCKED) -r $<
	@touch $@

# PySpark is needed because the jar is compiled against its jars.
$(SPARK_WHEEL): $(WHEELS) $(PINS)/spark-wheel.txt
	@echo "installing the PySpark version pinned in $(PINS)/spark-wheel.txt into $(WHEELS_VENV)"
	$(WHEELS_VENV)/bin/python $(PIP_LOCKED) -r $(PINS)/spark-wheel.txt
	@touch $@

$(SPARK_ARCHIVE): $(SPARK) tests/spark/support/java.py
	$(BIN)/python -m tests.spark.support.java $@

# The stamp's time is the start of the build, so that files edited during the build are compiled the next time.
$(NATIVE): $(INSTALLED) native/Cargo.lock native/pyproject.toml $(shell find native -name Cargo.toml -o -name '*.rs')
	@touch $@.started
	VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/maturin develop --quiet -m native/python/Cargo.toml
	@mv $@.started $@

.PHONY: java-tools
java-tools:
	@command -v mvn >/dev/null || { \
	  echo "make: mvn is not on the PATH: install Apache Maven, which fetches Kafka's jars" >&2; \
	  exit 1; \
	}
	@major=$$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'); \
	if [ "$${major:-0}" -lt 17 ] || ! java -version >/dev/null 2>&1; then \
	  echo "make: no JDK 17 or newer is on the PATH (javac says: $$(javac -version 2>&1 | head -n 1)):" \
	    "install one, the tests compare our bytes with Apache's Java classes" >&2; \
	  exit 1; \
	fi

include benchmarks/bench.mk
