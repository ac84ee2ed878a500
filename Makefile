# make help lists the targets.

# Seconds of fuzzing in `make fuzz`.
FUZZ_SECONDS ?= 60

# The parts that have certificates.
CERTIFIED = a-small b-add-rne b-add-up b-add-down b-add-zero b-mul-rne b-mul-up b-mul-down b-mul-zero c-products \
	c-specials-rne c-specials-up c-specials-down c-specials-zero c-flush-rne c-sums-rne

# A build for this machine only: the loops of the proof run in vectors as wide as it has.
PROVE = RUSTFLAGS='-C target-cpu=native' cargo run --release --target-dir target/prove -- prove

.PHONY: help fuzz fuzz-all sweep test test-html lint bench prove prove-sample seeds tools tools-for-tests tools-for-html \
	tools-for-peers tools-for-proofs llvm-all clean

help:
	@echo "make fuzz      install what is missing, then fuzz the decoder against LLVM for $(FUZZ_SECONDS) s (FUZZ_SECONDS=...)"
	@echo "make fuzz-all  the same, then the assembler against LLVM's, the parser alone, and values against MPFR,"
	@echo "               $(FUZZ_SECONDS) s each"
	@echo "make sweep     every systematic window against LLVM, some minutes; resumes what sweep/ holds"
	@echo "make test      install what is missing, then run all tests"
	@echo "make test-html  install Chromium if it is missing, then run the tests of the HTML report in it"
	@echo "make lint      formatting, clippy, documentation, and the core on stable Rust"
	@echo "make bench     speed, as ratios in the same run: against LLVM, SoftFloat, rustc_apfloat and MPFR"
	@echo "make prove     the f16 arithmetic proven for every operand, on from where it was left; hours (PARTS=...)"
	@echo "make prove-sample  the 8-bit format whole, a sample of the rest, and what the certificates say; minutes"
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

sweep: tools-for-tests
	cargo run --release -- sweep $(SWEEP)

test: tools-for-tests
	cargo test

# Apart from the others, which need no browser.
test-html: tools-for-html
	cargo test --test html -- --ignored

lint: tools-for-peers
	cargo fmt --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo fmt --check --manifest-path benches/peers/Cargo.toml
	cargo clippy --all-targets -- -D warnings
	cargo clippy --manifest-path fuzz/Cargo.toml -- -D warnings
	cargo clippy --manifest-path benches/peers/Cargo.toml -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items
	cargo +stable check --no-default-features
	cargo +stable check

bench: tools-for-tests tools-for-peers
	cargo bench --bench decode
	cargo bench --bench differential
	cargo bench --bench encode
	cargo run --release --manifest-path benches/peers/Cargo.toml

# Resumes what proofs/ holds; PARTS names some of it.
prove: tools-for-proofs
	$(PROVE) $(PARTS)

prove-sample: tools-for-proofs
	$(PROVE) --sample
	$(PROVE) --check $(CERTIFIED)

# The corpus as libFuzzer inputs, one file a target.
seeds:
	cargo run --quiet --release -- seeds write --out fuzz/corpus/decode corpus/decode/*.txt
	cargo run --quiet --release -- seeds write --out fuzz/corpus/encode corpus/decode/*.txt

tools:
	@scripts/tools llvm compiler m4 cargo-fuzz

tools-for-tests:
	@scripts/tools llvm compiler m4

tools-for-html:
	@scripts/tools compiler m4 chromium

# benches/peers builds SoftFloat.
tools-for-peers:
	@scripts/tools compiler m4 cmake

# A proof asks no LLVM.
tools-for-proofs:
	@scripts/tools compiler m4

llvm-all:
	@scripts/tools llvm-all

clean:
	cargo clean
	rm -rf sweep benches/peers/target fuzz/target fuzz/corpus fuzz/state fuzz/artifacts
