# Every target sets up what it needs in .venv and does nothing twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
BUILD := $(PIP) --no-build-isolation --config-settings=build-dir=build/dev
CORE := $(shell find core -name '*.?pp') CMakeLists.txt
PACKAGE := pyproject.toml constraints.txt

.PHONY: play setup test check format stubs bench sanitize arm clean

play: $(VENV)/.play
	@$(BIN)/fivestone $(ARGS) || [ $$? -eq 130 ]  # Ctrl-C is a fine way to stop

setup: $(VENV)/.dev

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files 'core/*.cpp' 'core/*.hpp')
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(git ls-files 'core/*.cpp' 'core/*.hpp')

# The typed stub of the extension, written from the extension itself; a test checks that it is up to date.
stubs: $(VENV)/.dev
	$(BIN)/python -m nanobind.stubgen -q -P -m fivestone._core -o src/fivestone/_core.pyi
	$(BIN)/ruff check --fix-only --quiet src/fivestone/_core.pyi
	$(BIN)/ruff format --quiet src/fivestone/_core.pyi

bench: $(VENV)/.play
	$(BIN)/fivestone bench $(ARGS)

# The core's own tests under the sanitizers: all of them with ASan and UBSan, the threaded ones with TSan.
sanitize: $(VENV)/.build
	$(call core-tests,asan,-O1 -g -fno-omit-frame-pointer -fsanitize=address$(comma)undefined -fno-sanitize-recover=all)
	$(BIN)/ctest --test-dir build/asan --output-on-failure
	$(call core-tests,tsan,-O1 -g -fsanitize=thread)
	$(BIN)/ctest --test-dir build/tsan --output-on-failure --tests-regex threads

# Cross-compiles the core for 64-bit ARM (needs aarch64-linux-gnu-g++); runs its tests too where qemu-aarch64 is installed.
arm: $(VENV)/.build
	$(BIN)/cmake -S . -B build/arm -G Ninja -DFIVESTONE_PYTHON=OFF -DFIVESTONE_CORE_TESTS=ON \
	  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
	  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static > build/arm.log
	$(BIN)/cmake --build build/arm

clean:
	rm -rf build $(VENV)

comma := ,
define core-tests
$(BIN)/cmake -S . -B build/$(1) -G Ninja -DFIVESTONE_PYTHON=OFF -DFIVESTONE_CORE_TESTS=ON \
  -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=$(2)" > build/$(1).log
$(BIN)/cmake --build build/$(1)
endef

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build: $(VENV)/bin/python $(PACKAGE)
	@echo "Installing the build tools ..."
	@$(PIP) scikit-build-core nanobind cmake ninja
	@mkdir -p build
	@touch $@

$(VENV)/.play: $(VENV)/.build $(CORE)
	@echo "Building Fivestone (a minute the first time) ..."
	@$(BUILD) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	@echo "Installing what the tests and tools need ..."
	@$(BUILD) -e '.[dev]'
	@touch $@
