//! The property: no text makes the parser panic; what parses prints as what parses to the same instruction; what
//! assembles decodes to the same instruction with the same notes. No LLVM is asked.
//!
//! An input is a byte, the target, and a text: see `vop3p::text_laws`. Every other input is drawn anew or changed word by
//! word, the rest by libFuzzer.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use vop3p::campaign::Draw;
use vop3p::text_laws::{bytes, check, input, mutated};

fuzz_target!(|data: &[u8]| {
    let (target, text) = input(data);
    if let Err(law) = check(target, &text) {
        panic!("{law}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut draw = Draw::new(u64::from(seed));
    if draw.chance(50) {
        return fuzzer_mutate(data, size, max_size);
    }
    let (mut target, text) = input(&data[..size]);
    if draw.chance(10) {
        target = vop3p::isa::Target::from_place(draw.bits() as usize);
    }
    let bytes = bytes(target, &mutated(target, &text, &mut draw));
    let kept = bytes.len().min(max_size).min(data.len());
    data[..kept].copy_from_slice(&bytes[..kept]);
    kept
});
