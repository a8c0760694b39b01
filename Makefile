# Builds by the conventions of match runners: `make EXE=name` leaves the engine under that name.
# `make ARCH=native` builds for this machine's processor: faster here, and of no use on an older one.
# `make EVALFILE=file` makes that network part of the program instead of networks/default.net.
# CC and CXX, which match runners may give, change nothing: there is no C in it.

EXE ?= cassius
TARGET := $(or $(CARGO_TARGET_DIR),target)
# On Windows the binary has a suffix.
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

# A processor with what .cargo/config.toml asks for, unless one is named as the compiler names it: x86-64 is any of the kind. Some machines have an ARCH of their own
# in the environment: only that of the command line counts.
ifeq ($(origin ARCH),command line)
export RUSTFLAGS += -C target-cpu=$(ARCH)
endif

ifeq ($(origin EVALFILE),command line)
# To abspath a space would be the end of a name.
nothing :=
space := $(nothing) $(nothing)
export CASSIUS_EVALFILE := $(subst |,$(space),$(abspath $(subst $(space),|,$(EVALFILE))))
endif

.PHONY: all test bench lint clean

all:
	cargo build --release --bin cassius
	cp "$(TARGET)/release/cassius$(SUFFIX)" "$(EXE)"

test:
	scripts/test

bench:
	cargo run --release -- bench

lint:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings

clean:
	cargo clean
	rm -f "$(EXE)"
