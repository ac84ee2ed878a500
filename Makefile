# make help lists the targets.

# Seconds of fuzzing in `make fuzz`.
FUZZ_SECONDS ?= 60

.PHONY: help fuzz fuzz-all test lint bench seeds tools tools-for-tests llvm-all clean

help:
	@echo "make fuzz      install what is missing, then fuzz the decoder against LLVM for $(FUZZ_SECONDS) s (FUZZ_SECONDS=...)"
	@echo "make fuzz-all  the same, then the assembler against LLVM's, the parser alone, and values against MPFR,"
	@echo "               $(FUZZ_SECONDS) s each"
	@echo "make test      install what is missing, then run all tests"
	@echo "make lint      formatting, clippy, documentation, and the core on stable Rust"
	@echo "make bench     speed, as ratios against LLVM in the same run"
	@echo "make tools     only install what fuzzing needs"
	@echo "make llvm-all  install every LLVM that the ledger knows, for --llvm all"
	@echo "make clean     remove what was built and what fuzzing left"

fuzz: tools seeds
	@scripts/fuzz decode $(FUZZ_SECONDS)

# One after the other: they share the directory of findings.
fuzz-all: fuzz
	@scripts/fuzz encode $(FUZZ_SECONDS)
	@scripts/fuzz asm $(FUZZ_SECONDS)
	@scripts/fuzz fma $(FUZZ_SECONDS)

test: tools-for-tests
	cargo test

lint:
	cargo fmt --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --all-targets -- -D warnings
	cargo clippy --manifest-path fuzz/Cargo.toml -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items
	cargo +stable check --no-default-features
	cargo +stable check

bench: tools-for-tests
	cargo bench --bench decode
	cargo bench --bench differential
	cargo bench --bench encode

# The corpus as libFuzzer inputs, one file a target.
seeds:
	cargo run --quiet --release -- seeds write --out fuzz/corpus/decode corpus/decode/*.txt
	cargo run --quiet --release -- seeds write --out fuzz/corpus/encode corpus/decode/*.txt

tools:
	@scripts/tools llvm compiler cargo-fuzz

tools-for-tests:
	@scripts/tools llvm compiler

llvm-all:
	@scripts/tools llvm-all

clean:
	cargo clean
	rm -rf fuzz/target fuzz/corpus fuzz/state fuzz/artifacts
