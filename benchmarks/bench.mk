# Benchmarks, included by the Makefile. They have their own environment, because the project does not depend on the
# compared libraries.

BENCH_VENV := .venv-bench
BENCH_BIN := $(BENCH_VENV)/bin
BENCH_INSTALLED := $(BENCH_VENV)/.installed
BENCH_SPARK := $(BENCH_VENV)/.spark
BASELINE ?= benchmarks/results/latest.json
BENCH_NEW := .cache/bench/new.json

.PHONY: bench
bench: bench-native ## compare the speed with other libraries and Java (BENCH_FLAGS="--rounds 5 ...")
	$(BENCH_BIN)/python -m benchmarks run $(BENCH_FLAGS)

.PHONY: bench-compare
bench-compare: bench-native ## compare the codecs with a saved run (BASELINE=file)
	$(BENCH_BIN)/python -m benchmarks run --part codecs --out $(BENCH_NEW) $(BENCH_FLAGS)
	$(BENCH_BIN)/python -m benchmarks compare $(BASELINE) $(BENCH_NEW)

.PHONY: bench-spark
bench-spark: $(BENCH_SPARK) bench-native bench-jar ## compare the pipeline with from_avro and aiokafka
	$(BENCH_BIN)/python -m benchmarks.spark run $(BENCH_FLAGS)

.PHONY: bench-lock
bench-lock: ## rewrite benchmarks/constraints*.txt (UPGRADE=--upgrade: newest versions)
	@set -e; $(FIND_PYTHON); "$$python" -m venv $(LOCK_VENV)
	$(LOCK_VENV)/bin/python $(PIP_LOCKED) -r $(PINS)/uv.txt
	printf '%s\n' $(OUR_NAMES) >$(OURS)
	$(LOCK_VENV)/bin/uv pip compile pyproject.toml benchmarks/requirements.in --constraints $(PINS)/dev.txt --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make bench-lock' \
	  $(UPGRADE) --quiet --output-file benchmarks/constraints.txt
	$(LOCK_VENV)/bin/uv pip compile $(PROJECT_FILES) --extra spark --excludes $(OURS) benchmarks/requirements.in \
	  benchmarks/requirements-spark.in --constraints $(PINS)/spark.txt --constraints benchmarks/constraints.txt --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make bench-lock' \
	  $(UPGRADE) --quiet --output-file benchmarks/constraints-spark.txt

# Without cargo, the native engine is skipped, and the report says that its goals were not measured.
.PHONY: bench-native
bench-native: $(BENCH_INSTALLED) java-tools
	@if ! command -v cargo >/dev/null; then \
	  echo "cargo is not on the PATH: the benchmarks run without the native engine"; \
	elif [ -f native/Cargo.toml ]; then \
	  VIRTUAL_ENV="$(CURDIR)/$(BENCH_VENV)" \
	    $(BENCH_BIN)/maturin develop --quiet --release -m native/python/Cargo.toml; \
	fi

# This jar has the release profile. It replaces the jar of `make jar`, whose profile compiles faster.
.PHONY: bench-jar
bench-jar: $(BENCH_SPARK) java-tools
	@if command -v cargo >/dev/null; then \
	  cargo build --quiet --release --locked --package messagegen-jni --manifest-path native/Cargo.toml && \
	    $(BENCH_BIN)/python -m release.jar $(CARGO_TARGET_DIR)/release/libmessagegen_jni.so; \
	fi

$(BENCH_INSTALLED): benchmarks/constraints.txt $(PROJECT_FILES)
	@set -e; $(FIND_PYTHON); \
	echo "installing the versions pinned in benchmarks/constraints.txt into $(BENCH_VENV), with $$("$$python" -V)"; \
	if [ -f $@ ] && $(BENCH_BIN)/python -c ''; then rm -f $@; else "$$python" -m venv --clear $(BENCH_VENV); fi
	$(BENCH_BIN)/python -m pip install --quiet --require-hashes -r benchmarks/constraints.txt
	for project in $(PROJECTS); do $(BENCH_BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e ./$$project || exit; done
	@touch $@

# Spark has its own target, because it is large, and `make bench` does not need it.
$(BENCH_SPARK): $(BENCH_INSTALLED) benchmarks/constraints-spark.txt
	@echo "installing PySpark and the compared libraries, as pinned in benchmarks/constraints-spark.txt, into $(BENCH_VENV)"
	$(BENCH_BIN)/python -m pip install --quiet --require-hashes -r benchmarks/constraints-spark.txt
	@touch $@
