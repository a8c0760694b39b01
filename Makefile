# Builds by the conventions of match runners: `make EXE=name` leaves the engine under that name.

EXE ?= cassius
TARGET := $(or $(CARGO_TARGET_DIR),target)
# On Windows the binary has a suffix.
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

.PHONY: all test bench lint clean

all:
	cargo build --release
	cp "$(TARGET)/release/cassius$(SUFFIX)" "$(EXE)"

test:
	scripts/test

bench:
	cargo run --release -- bench

lint:
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings

clean:
	cargo clean
	rm -f "$(EXE)"
