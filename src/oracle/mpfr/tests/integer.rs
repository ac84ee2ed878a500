//! Packed integers.

use super::expect;
use crate::question::Reading as R;

fn two(name: &str, src: [u64; 2], expected: u64) {
    expect("gfx900", &format!("v_pk_{name} v0, v1, v2"), "", &[], [src[0], src[1], 0], expected);
}

fn three(target: &str, name: &str, readings: &[R], src: [u64; 3], expected: u64) {
    let (name, clamp) = name.strip_suffix(" clamp").map_or((name, ""), |name| (name, "clamp"));
    expect(target, &format!("v_pk_{name} v0, v1, v2, v3 {clamp}"), "", readings, src, expected);
}

#[test]
fn sums_and_products_wrap() {
    two("add_u16", [0xffff_0001, 0x0002_0003], 0x0001_0004);
    two("add_i16", [0x7fff_8000, 0x0001_ffff], 0x8000_7fff);
    two("sub_u16", [0x0001_0005, 0x0002_0003], 0xffff_0002);
    two("sub_i16", [0x8000_0005, 0x0001_0003], 0x7fff_0002);
    // 300 · 300 = 90000 = 15f90; ffff · ffff = fffe0001.
    two("mul_lo_u16", [0xffff_012c, 0xffff_012c], 0x0001_5f90);
    // fffe0001 + 2; 300 · 300 + 5.
    three("gfx900", "mad_u16", &[], [0xffff_012c, 0xffff_012c, 0x0002_0005], 0x0003_5f95);
    // −1 · 5 + 3 = −2; −300 · 300 − 1 = −90001 = …a06f.
    three("gfx900", "mad_i16", &[], [0xffff_fed4, 0x0005_012c, 0x0003_ffff], 0xfffe_a06f);
}

#[test]
fn clamp_saturates() {
    let clamped = |name: &str, src: [u64; 2], expected| {
        expect("gfx900", &format!("v_pk_{name} v0, v1, v2 clamp"), "", &[], [src[0], src[1], 0], expected);
    };
    clamped("add_u16", [0xffff_0001, 0x0002_0003], 0xffff_0004);
    clamped("add_i16", [0x7fff_8000, 0x0001_ffff], 0x7fff_8000);
    clamped("sub_u16", [0x0001_0005, 0x0002_0003], 0x0000_0002);
    clamped("sub_i16", [0x8000_7fff, 0x0001_ffff], 0x8000_7fff);
    three("gfx900", "mad_u16 clamp", &[], [0xffff_0003, 0xffff_0004, 0x0002_0005], 0xffff_0011);
    // The exact value: −300 · 300 − 1, and 32767 · 2 − 32768 = 32766 though the product alone is too large.
    three("gfx900", "mad_i16 clamp", &[], [0x7fff_fed4, 0x0002_012c, 0x8000_ffff], 0x7ffe_8000);
    three("gfx900", "mad_i16 clamp", &[R::MadClampIgnored], [0x7fff_fed4, 0x0002_012c, 0x8000_ffff], 0x7ffe_a06f);
    three("gfx1250", "mad_i16 clamp", &[], [0x7fff_fed4, 0x0002_012c, 0x8000_ffff], 0x7ffe_a06f);
    three("gfx900", "mad_i16 clamp", &[R::ClampToMinusMaxInt], [0x7fff_fed4, 0x0002_012c, 0x8000_ffff], 0x7ffe_8001);
    // It has no such bound without a sign, and does nothing to the others.
    let minus_max = [R::ClampToMinusMaxInt];
    expect("gfx900", "v_pk_sub_u16 v0, v1, v2 clamp", "", &minus_max, [0, 0x0001_0001, 0], 0);
    clamped("mul_lo_u16", [0xffff_012c, 0xffff_012c], 0x0001_5f90);
    clamped("min_i16", [0x8000_0005, 0x7fff_0003], 0x8000_0003);
}

#[test]
fn shifts_take_four_bits_of_source_0() {
    two("lshlrev_b16", [0x0001_0014, 0xffff_8001], 0xfffe_0010);
    two("lshrrev_b16", [0x0001_0014, 0xffff_8001], 0x7fff_0800);
    two("ashrrev_i16", [0x0001_0014, 0x7fff_8001], 0x3fff_f800);
    two("ashrrev_i16", [0x000f_ffff, 0x7fff_8000], 0x0000_ffff);
}

#[test]
fn minima_and_maxima() {
    two("min_i16", [0xffff_0005, 0x0001_0003], 0xffff_0003);
    two("max_i16", [0xffff_0005, 0x0001_0003], 0x0001_0005);
    two("min_u16", [0xffff_0005, 0x0001_0003], 0x0001_0003);
    two("max_u16", [0xffff_0005, 0x0001_0003], 0xffff_0005);
    let src = [0xffff_0005, 0x0001_0003, 0x8000_0004];
    three("gfx1250", "min3_i16", &[], src, 0x8000_0003);
    three("gfx1250", "max3_i16", &[], src, 0x0001_0005);
    three("gfx1250", "min3_u16", &[], src, 0x0001_0003);
    three("gfx1250", "max3_u16", &[], src, 0xffff_0005);
    // CLAMP makes a negative result 0, of signed ones.
    three("gfx1250", "min3_i16 clamp", &[], src, 0x0000_0003);
    three("gfx1250", "min3_i16 clamp", &[R::ReluIgnored], src, 0x8000_0003);
    three("gfx1250", "max3_u16 clamp", &[], src, 0xffff_0005);
}

#[test]
fn sums_held_against_a_third() {
    // 32767 + 1 saturates to 32767; −32768 − 1 to −32768, with either bound of CLAMP.
    let src = [0x7fff_8000, 0x0001_ffff, 0x0002_8005];
    for readings in [&[][..], &[R::ClampToMinusMaxInt]] {
        three("gfx1250", "add_max_i16", readings, src, 0x7fff_8005);
        three("gfx1250", "add_min_i16", readings, src, 0x0002_8000);
        three("gfx1250", "add_min_i16 clamp", readings, src, 0x0002_0000);
        three("gfx1250", "add_max_i16 clamp", readings, src, 0x7fff_0000);
    }
    three("gfx1250", "add_max_i16 clamp", &[R::ReluIgnored], src, 0x7fff_8005);
    let lowest = [0x8000_8000, 0xffff_ffff, 0x8000_8000];
    three("gfx1250", "add_max_i16", &[R::ClampToMinusMaxInt], lowest, 0x8000_8000);
    // ffff + 2 saturates to ffff.
    let src = [0xffff_0001, 0x0002_0002, 0x1234_0002];
    three("gfx1250", "add_max_u16", &[], src, 0xffff_0003);
    three("gfx1250", "add_min_u16", &[], src, 0x1234_0002);
    three("gfx1250", "add_max_u16 clamp", &[], src, 0xffff_0003);
}
