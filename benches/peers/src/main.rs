//! Fused multiply-add, results a second of one core: ours in general and on slices, beside Berkeley SoftFloat,
//! rustc_apfloat and MPFR in the same run; and whole instructions held against MPFR.
//!
//! `make bench`. A result is one f16 or f32. Rounds are interleaved; the median counts. Every peer's results are held
//! against ours, NaNs aside, so that no one is timed at something else.

mod peers;

use std::hint::black_box;
use std::time::Instant;

use vop3p::campaign::Draw;
use vop3p::codec::{Window, decode};
use vop3p::exec::arithmetic::{Env, fma};
use vop3p::exec::format::{F16, F32, Format};
use vop3p::exec::{execute, slices};
use vop3p::isa::Target;
use vop3p::oracle::mpfr::Oracle;
use vop3p::question::{Inputs, Mode, Readings};

/// Triples of a round.
const TRIPLES: usize = 1 << 14;

/// Rounds, of which the median counts.
const ROUNDS: usize = 31;

type Column<T> = [Vec<T>; 3];

fn main() {
    for (name, subnormal) in [("any bits", false), ("subnormal operands", true)] {
        println!("f16 fma, {name}");
        let operands = column(16, subnormal).map(|column| column.into_iter().map(|bits| bits as u16).collect());
        table(&f16(&operands));
        println!("f32 fma, {name}");
        table(&f32(&column(32, subnormal)));
    }
    checked();
}

/// What is timed is not what it should be.
fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1)
}

/// Operands: any bits, or subnormal ones beside any.
fn column(width: u32, subnormal: bool) -> Column<u32> {
    let mut draw = Draw::new(20_261_130);
    let mask = u32::MAX >> (32 - width);
    let fraction = if width == 16 { F16::FRACTION } else { F32::FRACTION };
    std::array::from_fn(|slot| {
        let mut one = || draw.wide() as u32 & mask;
        (0..TRIPLES)
            .map(|_| if subnormal && slot != 1 { one() & (fraction | 1 << (width - 1)) } else { one() })
            .collect()
    })
}

/// Computes all triples.
type Run<'a, T> = dyn FnMut(&mut [T]) + 'a;

/// A way to do so.
struct Way<'a, T> {
    name: &'static str,
    run: Box<Run<'a, T>>,
}

/// The median time of a result in nanoseconds, way by way.
fn measure<T: Default + Clone>(ways: &mut [Way<'_, T>]) -> Vec<(&'static str, f64)> {
    let mut times = vec![Vec::new(); ways.len()];
    let mut out = vec![T::default(); TRIPLES];
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (way.run)(black_box(&mut out));
            times.push(start.elapsed().as_secs_f64() * 1e9 / TRIPLES as f64);
        }
    }
    ways.iter().zip(times).map(|(way, mut times)| (way.name, median(&mut times))).collect()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn table(rows: &[(&'static str, f64)]) {
    for (name, time) in rows {
        let million = 1e3 / time;
        let ratios: Vec<String> =
            rows[2..].iter().map(|(peer, other)| format!("{:.1} x {peer}", other / time)).collect();
        println!("  {name:<14} {million:>8.1} million/s   {}", ratios.join(", "));
    }
}

fn f16([a, b, c]: &Column<u16>) -> Vec<(&'static str, f64)> {
    let each = |out: &mut [u16], one: &dyn Fn(u16, u16, u16) -> u16| {
        for (index, out) in out.iter_mut().enumerate() {
            *out = one(a[index], b[index], c[index]);
        }
    };
    let general =
        |a: u16, b: u16, c: u16| fma::<F16, F16, ()>([a.into(), b.into(), c.into()], &Env::DEFAULT, &mut ()) as u16;
    let is_nan = |bits: &u16| F16::is_nan(u32::from(*bits));
    let mut peer = peers::Mpfr::new(11);
    let mut ways = vec![
        Way { name: "general", run: Box::new(|out: &mut [u16]| each_inlined(a, b, c, out, general)) },
        Way {
            name: "slices",
            run: Box::new(|out: &mut [u16]| {
                slices::fma_f16(a, b, c, out).unwrap_or_else(|error| fail(&error.to_string()))
            }),
        },
        Way { name: "SoftFloat", run: Box::new(|out: &mut [u16]| each(out, &peers::softfloat_f16)) },
        Way { name: "rustc_apfloat", run: Box::new(|out: &mut [u16]| each(out, &peers::apfloat_f16)) },
        Way {
            name: "MPFR",
            run: Box::new(|out: &mut [u16]| {
                for (index, out) in out.iter_mut().enumerate() {
                    *out = peer.fma_f16(a[index], b[index], c[index]);
                }
            }),
        },
    ];
    agree(&mut ways, is_nan);
    measure(&mut ways)
}

fn f32([a, b, c]: &Column<u32>) -> Vec<(&'static str, f64)> {
    let each = |out: &mut [u32], one: &dyn Fn(u32, u32, u32) -> u32| {
        for (index, out) in out.iter_mut().enumerate() {
            *out = one(a[index], b[index], c[index]);
        }
    };
    let general = |a, b, c| fma::<F32, F32, ()>([a, b, c], &Env::DEFAULT, &mut ());
    let mut peer = peers::Mpfr::new(24);
    let mut ways = vec![
        Way { name: "general", run: Box::new(|out: &mut [u32]| each_inlined(a, b, c, out, general)) },
        Way {
            name: "slices",
            run: Box::new(|out: &mut [u32]| {
                slices::fma_f32(a, b, c, out).unwrap_or_else(|error| fail(&error.to_string()))
            }),
        },
        Way { name: "SoftFloat", run: Box::new(|out: &mut [u32]| each(out, &peers::softfloat_f32)) },
        Way { name: "rustc_apfloat", run: Box::new(|out: &mut [u32]| each(out, &peers::apfloat_f32)) },
        Way {
            name: "MPFR",
            run: Box::new(|out: &mut [u32]| {
                for (index, out) in out.iter_mut().enumerate() {
                    *out = peer.fma_f32(a[index], b[index], c[index]);
                }
            }),
        },
    ];
    agree(&mut ways, |bits| F32::is_nan(*bits));
    measure(&mut ways)
}

/// The same loop for a function that is known.
#[inline(always)]
fn each_inlined<T: Copy>(a: &[T], b: &[T], c: &[T], out: &mut [T], one: impl Fn(T, T, T) -> T) {
    for (((a, b), c), out) in a.iter().zip(b).zip(c).zip(out) {
        *out = one(*a, *b, *c);
    }
}

/// Stops if the ways compute different numbers.
fn agree<T: Default + Clone + PartialEq + std::fmt::LowerHex>(ways: &mut [Way<'_, T>], is_nan: impl Fn(&T) -> bool) {
    let mut ours = vec![T::default(); TRIPLES];
    let mut theirs = ours.clone();
    (ways[0].run)(&mut ours);
    for way in &mut ways[1..] {
        (way.run)(&mut theirs);
        for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            if ours != theirs && !(is_nan(ours) && is_nan(theirs)) {
                fail(&format!("{}: triple {index} gives {theirs:x}, general {ours:x}", way.name));
            }
        }
    }
}

/// Whole instructions: exec and MPFR, and whether they agree.
fn checked() {
    println!("held against MPFR, default MODE, any bits");
    for (cpu, dwords, results) in [
        ("gfx1100", [0xcc0e_4000, 0x1c0e_0501], 2.0),
        ("gfx1100", [0xcc20_0000, 0x040e_0501], 1.0),
        ("gfx90a", [0xd3b0_4000, 0x1c1a_0902], 2.0),
    ] {
        let Ok(target) = cpu.parse::<Target>() else { continue };
        let Some(window) = Window::from_dwords(&dwords) else { continue };
        let Ok(decoded) = decode(target, &window) else {
            fail(&format!("{cpu} {window}: undefined"));
        };
        let mut draw = Draw::new(7);
        let inputs: Vec<Inputs> = (0..TRIPLES)
            .map(|_| Inputs { src: std::array::from_fn(|_| draw.wide()), old: draw.wide() as u32 })
            .collect();
        let (mode, readings) = (Mode::default(), Readings::of(target));
        let mut oracle = Oracle::new();
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for inputs in &inputs {
                let ours = execute(target, &decoded.instruction, inputs, mode, readings, &mut ());
                let theirs = oracle.compute(target, &decoded.instruction, inputs, mode, readings);
                if ours != theirs {
                    fail(&format!("{cpu} {window} {inputs:x?}: ours {ours:x?}, MPFR {theirs:x?}"));
                }
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / (TRIPLES as f64 * results));
        }
        let text = vop3p::asm::print(target, &decoded.instruction);
        println!("  {cpu} {text:<32} {:>6.2} million results/s", 1e3 / median(&mut times));
    }
}
