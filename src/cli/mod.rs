//! The command line: one file a subcommand, each of them thin.

mod changes;
mod common;
mod compat;
mod conform;
mod decode;
mod diff;
mod encode;
mod eval;
mod fuzz;
mod given;
mod html;
mod isa;
mod ledger;
mod matrix;
mod merge;
mod out;
mod prove;
mod readings;
mod replay;
mod report;
mod roundtrip;
mod rules;
mod seeds;
mod spec;
mod sweep;
mod targets;
mod triage;
mod versions;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use common::{Exit, Failure};
pub use out::Out;

const CODES: &str = "\
Exit codes:
  0  all agree, or differ as the ledger says
  1  something new; for `decode` an undefined window; for `eval --against` another result
  2  bad input; for `encode` also a line that does not assemble
  3  an oracle (LLVM) is missing or unusable

A window (one alone needs no quotes; several, as `diff` takes them, need them each):
  'd3a00005 040e0480'                            dwords in memory order
  '[0x05,0x00,0xa0,0xd3,0x80,0x04,0x0e,0x04]'    bytes; also 05 00 a0 ... or one run of digits
  0x040e0480d3a00005                             the word as a number

Start with:
  vop3p decode -t gfx900 'd3a00005 040e0480'
  vop3p encode -t gfx900 'v_mad_mix_f32 v5, 0, v2, v3'
  vop3p diff -t gfx950 'd3ad0500 04521904'       is this word legal, and what does LLVM make of it?
  vop3p compat v_dot2_f32_bf16                   which targets have it, to AMD and to LLVM?
  vop3p eval -t gfx1100 'v_pk_add_f16 v0, v1, v2' v1=3c003c00 v2=40004000
  vop3p sweep                                    does LLVM differ from AMD's specification anywhere?
  vop3p sweep --llvm 22 --against build/bin      did my patch of LLVM change any decoding?";

/// VOP3P, the packed-math encoding of AMD GPUs: AMD's specification held against LLVM
#[derive(Parser)]
#[command(name = "vop3p", version, after_help = CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Decode(decode::Args),
    Encode(encode::Args),
    Diff(diff::Args),
    Eval(eval::Args),
    Readings(readings::Args),
    Targets(targets::Args),
    Isa(isa::Args),
    Compat(compat::Args),
    Rules(rules::Args),
    Ledger(ledger::Args),
    Replay(replay::Args),
    Conform(conform::Args),
    Fuzz(fuzz::Args),
    Sweep(sweep::Args),
    Merge(merge::Args),
    Triage(triage::Args),
    Report(report::Args),
    Matrix(matrix::Args),
    Roundtrip(roundtrip::Args),
    Html(html::Args),
    Prove(prove::Args),
    Seeds(seeds::Args),
    Spec(spec::Args),
}

/// Runs the tool.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = Out::default();
    let result = match &cli.command {
        Command::Decode(args) => decode::run(args, &mut out),
        Command::Encode(args) => encode::run(args, &mut out),
        Command::Diff(args) => diff::run(args, &mut out),
        Command::Eval(args) => eval::run(args, &mut out),
        Command::Readings(args) => readings::run(args, &mut out),
        Command::Targets(args) => targets::run(args, &mut out),
        Command::Isa(args) => isa::run(args, &mut out),
        Command::Compat(args) => compat::run(args, &mut out),
        Command::Rules(args) => rules::run(args, &mut out),
        Command::Ledger(args) => ledger::run(args, &mut out),
        Command::Replay(args) => replay::run(args, &mut out),
        Command::Conform(args) => conform::run(args, &mut out),
        Command::Fuzz(args) => fuzz::run(args, &mut out),
        Command::Sweep(args) => sweep::run(args, &mut out),
        Command::Merge(args) => merge::run(args, &mut out),
        Command::Triage(args) => triage::run(args, &mut out),
        Command::Report(args) => report::run(args, &mut out),
        Command::Matrix(args) => matrix::run(args, &mut out),
        Command::Roundtrip(args) => roundtrip::run(args, &mut out),
        Command::Html(args) => html::run(args, &mut out),
        Command::Prove(args) => prove::run(args, &mut out),
        Command::Seeds(args) => seeds::run(args, &mut out),
        Command::Spec(args) => spec::run(args, &mut out),
    };
    // What was found before a failure is shown, too.
    let flushed = out.flush();
    match result.and_then(|exit| flushed.map(|()| exit)) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            out::complain(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}
