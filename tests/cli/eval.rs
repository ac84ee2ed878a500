//! `vop3p eval` and `vop3p readings`, and `vop3p replay` of results.

use crate::{Ran, command, finish, vop3p};

const FMA: &str = "v_pk_fma_f16 v0, v1, v2, v3";
const MIXLO: [&str; 4] = ["v_fma_mixlo_f16 v0, v1, v1, v2", "v0=dead0000", "v1=38000000", "v2=3f801000"];

fn eval(target: &str, args: &[&str]) -> Ran {
    vop3p(&[&["eval", "-t", target], args].concat())
}

fn refused(target: &str, args: &[&str]) -> String {
    let ran = eval(target, args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    ran.err
}

#[test]
fn results_that_are_published() {
    // ROCm/rocm-systems#10854: toward +inf the product 2^-48 brings 32768 up to the next number.
    let up = "--mode=round.f16=+inf";
    assert_eq!(eval("gfx1100", &[up, FMA, "v1=00010001", "v2=10001", "v3=78007800"]).first(), "v0=0x78017801");
    assert_eq!(eval("gfx1100", &["--mode=0x3f4", FMA, "v1=1", "v2=1", "v3=7800"]).first(), "v0=0x00007801");
    // 2.5 · 21024 is a tie that the addend breaks.
    assert_eq!(eval("gfx900", &[FMA, "v1=41004100", "v2=75227522", "v3=04ea04ea"]).first(), "v0=0x7a6b7a6b");
    // Captures of gfx1100 and gfx1201 in ROCm/rocm-systems emulation/rocjitsu.
    for target in ["gfx1100", "gfx1201"] {
        let ran = eval(target, &[FMA, "v1=0", "v2=7c007c00", "v3=7e017e01"]);
        assert_eq!((ran.code, ran.first()), (0, "v0=0xfe00fe00"));
        assert!(ran.out.contains("\nknown         hardware-captured\n  invalid-product=default "), "{}", ran.out);
        assert!(ran.out.contains("\nothers        no source supports another result\n"), "{}", ran.out);
    }
}

#[test]
fn a_result_that_sources_differ_on_comes_with_the_others() {
    let ran = eval("gfx1100", &MIXLO);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let expected = "\
v0=0xdead3c00
instruction   v_fma_mixlo_f16 v0, v1, v1, v2
target        gfx1100 (rdna3)
known         emulator, the worst of these: mix-result-round=f16
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    let single = "\nother results that a source supports\n  v0=0xdead3c01  mixlo=single  emulator: rocjitsu, \
                  ROCm/rocm-systems#10913\n";
    assert!(ran.out.contains(single), "{}", ran.out);
    let ran = eval("gfx1100", &[&["--reading", "mixlo=single"], &MIXLO[..]].concat());
    assert_eq!(ran.first(), "v0=0xdead3c01");
    assert!(
        ran.out.contains("\n  v0=0xdead3c00  mixlo=double  documented: formulas of V_FMA_MIXLO_F16"),
        "{}",
        ran.out
    );
}

#[test]
fn another_field_of_mode_is_another_answer() {
    // 2^-24 in f16 is subnormal: flushed by the field of f16, kept by that of f32, where 2^-24 is 33800000.
    let text = "v_fma_mix_f32 v0, v1, 1.0, 0 op_sel_hi:[1,0,0]";
    let ran = eval("gfx1100", &["--mode", "denorm.f16=flush", text, "v1=1"]);
    assert_eq!(ran.first(), "v0=0x00000000");
    assert!(ran.out.contains("\nmode          0x330 (denorm.f16=flush)\n"), "{}", ran.out);
    let other = "\n  v0=0x33800000  mix-source-denorm=f32  unknown: fits the table in llvm/llvm-project#205101\n";
    assert!(ran.out.contains(other), "{}", ran.out);
}

#[test]
fn windows_pairs_and_scalars() {
    for window in [&["d3a00005 040e0480"][..], &["d3a00005", "040e0480"], &["0x040e0480d3a00005"]] {
        // 0 · 1 + 2.
        assert_eq!(eval("gfx900", &[window, &["v2=3f800000", "v3=40000000"]].concat()).first(), "v5=0x40000000");
    }
    let text = "v_pk_mul_f32 v[0:1], v[2:3], vcc neg_hi:[1,0]";
    // 1.0 · 2.0, -2.0 · 4.0.
    let expected = "v0=0x40000000\nv1=0xc1000000\ninstruction ";
    for given in [
        &["v[2:3]=40000000_3f800000", "vcc=4080000040000000"][..],
        &["v2=3f800000", "v3=40000000", "vcc_lo=0x40000000", "vcc_hi=40800000"],
    ] {
        let ran = eval("gfx90a", &[&[text], given].concat());
        assert!(ran.code == 0 && ran.out.starts_with(expected), "{}{}", ran.out, ran.err);
    }
    // CDNA5 reads one SGPR for both lanes.
    let ran = eval("gfx1250", &["v_pk_mul_f32 v[0:1], v[2:3], s[4:5]", "v[2:3]=40000000_3f800000", "s4=40000000"]);
    assert!(ran.out.starts_with("v0=0x40000000\nv1=0x40800000\n"), "{}{}", ran.out, ran.err);
}

#[test]
fn explain_shows_each_step() {
    let ran = eval("gfx1100", &["--explain", FMA, "v1=4100", "v2=7522", "v3=04ea"]);
    let low = "
low half
  S0          4100 = 2.5 = 1.01b × 2^1; the low half of v1
  S1          7522 = 21024.0 = 1.010010001b × 2^14; the low half of v2
  S2          04ea = 7.498264e-5 = 1.001110101b × 2^-14; the low half of v3
  product     1.10011010101b × 2^15, exact
  sum         1.100110101010{17}1001110101b × 2^15, exact
  round       to f16 1.1001101010|10{17}1001110101b × 2^15: above half; to nearest even: up
  result      7a6b = 52576.0 = 1.1001101011b × 2^15
high half
";
    assert!(ran.out.contains(low), "{}", ran.out);
    assert!(ran.out.ends_with("\npack          v0=0x00007a6b\n"), "{}", ran.out);
    // Twice: to f32, where the tail is lost, then a tie to even.
    let ran = eval("gfx1100", &[&["--explain"], &MIXLO[..]].concat());
    let steps = "
  S2          3f801000 = 1.0004883 = 1.00000000001b × 2^0; v2 as f32
  product     1b × 2^-30, exact
  sum         1.000000000010{18}1b × 2^0, exact
  round       to f32 1.00000000001000000000000|0000001b × 2^0: below half; to nearest even: down
  in f32      3f801000 = 1.0004883 = 1.00000000001b × 2^0
  round       to f16 1.0000000000|1b × 2^0: a tie, the last digit kept is even; to nearest even: down
  result      3c00 = 1.0 = 1b × 2^0
pack          v0=0xdead3c00, of which bits 31:16 stay dead
";
    assert!(ran.out.ends_with(steps), "{}", ran.out);
}

#[test]
fn explain_shows_flushes_overflow_clamp_and_the_rest() {
    let shows = |target: &str, args: &[&str], lines: &[&str]| {
        let ran = eval(target, &[&["--explain"], args].concat());
        for line in lines {
            assert!(ran.out.lines().any(|one| one.trim() == *line), "{line}\n{}{}", ran.out, ran.err);
        }
    };
    // 2^-24 is flushed; 2^-14 · 2^-1 would be subnormal.
    shows(
        "gfx1100",
        &["--mode", "denorm.f16=flush", "v_pk_mul_f16 v0, v1, v2", "v1=04008001", "v2=b8003c00"],
        &[
            "flush       S0 8001 is subnormal: 8000 = -0.0",
            "zero        -0: with the sign of the factors",
            "round       to f16 -0.1000000000|0b × 2^-14: nothing is dropped",
            "flush       below the smallest normal number 2^-14 (rounded as if exponents had no end, too): -0",
        ],
    );
    // 65504 + 65504; FP16_OVFL.
    let add = ["v_pk_add_f16 v0, v1, v2 clamp", "v1=7bff7bff", "v2=7bff7bff"];
    shows("gfx1100", &add, &["overflow    too large for f16; to nearest even: 7c00 = inf"]);
    shows(
        "gfx1100",
        &[&["--mode=fp16_ovfl=1"], &add[..]].concat(),
        &[
            "overflow    too large for f16; FP16_OVFL: 7bff = 65504.0 = 1.1111111111b × 2^15",
            "clamp       7bff becomes 3c00 = 1.0 = 1b × 2^0",
        ],
    );
    // -1 - 2^-24: what is cut of a negative number makes it larger.
    let add = ["v_pk_add_f16 v0, v1, v2", "v1=bc00", "v2=8001"];
    shows("gfx900", &add, &["round       to f16 -1.0000000000|0{13}1b × 2^0: below half; to nearest even: up"]);
    let down = ["round       to f16 -1.0000000000|0{13}1b × 2^0: below half; toward -inf: down"];
    shows("gfx900", &[&["--mode=round.f16=-inf"], &add[..]].concat(), &down);
    // 1 - 1, inf + 1, NaNs.
    let add = "v_pk_add_f16 v0, v1, v2 neg_hi:[0,1]";
    shows(
        "gfx900",
        &[add, "v1=3c007c00", "v2=3c003c00"],
        &[
            "infinity    an operand is infinite, and so is the result",
            "S1          bc00 = -1.0 = -1b × 2^0; the high half of v2, negated",
            "zero        +0: a sum of opposites is +0, toward -inf -0",
        ],
    );
    shows(
        "gfx900",
        &[add, "v1=7c007c01", "v2=7c007e02"],
        &[
            "NaN         that of S0: 7e01 = NaN, quiet; another operand is a NaN, too",
            "NaN         the operation has no value: the default NaN",
        ],
    );
    // Unfused: 0.5 · (2^-149 as f32) is flushed; then 1 is added.
    shows(
        "gfx900",
        &["v_mad_mix_f32 v0, v1, v2, 1.0", "v1=3f000000", "v2=00800000"],
        &[
            "product     1b × 2^-127, exact",
            "flush       below the smallest normal number 2^-126 (rounded as if exponents had no end, too): +0",
            "in f32      00000000 = 0.0",
            "sum         1b × 2^0, exact",
        ],
    );
    // One rounding behind a rounded product: (1 + 2^-12)^2 is a tie in f32, and then again in f16.
    let args = ["--reading", "mixlo=single", "v_mad_mixhi_f16 v0, v1, v1, 0", "v0=12345678", "v1=3f800800"];
    shows("gfx900", &args, &["pack          v0=0x3c005678, of which bits 15:0 stay 5678"]);
    let ran = eval("gfx900", &[&["--explain"], &args[..]].concat());
    assert_eq!(ran.out.matches("\n  product     ").count(), 1, "{}", ran.out);
    shows("gfx1030", &["v_pk_max_f16 v0, v1, v2", "v1=3c00", "v2=4000"], &["choose      S1: 4000 = 2.0 = 1b × 2^1"]);
    shows(
        "gfx900",
        &["v_pk_add_i16 v0, v1, v2 clamp", "v1=7fff", "v2=1"],
        &["exact       32768", "saturate    8000 becomes 7fff = 32767"],
    );
    shows(
        "gfx90a",
        &["v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]", "v[2:3]=00000001_00000002", "v[4:5]=0000000300000004"],
        &["S0          00000001 = 1; v3", "S1          00000004 = 4; v4", "pack          v0=0x00000001 v1=0x00000004"],
    );
}

#[test]
fn what_is_wrong_with_registers() {
    let missing = "\
error: v2, s3 are read but not given; with zeros:
  vop3p eval -t gfx1100 --mode round.f16=zero --reading nan-order=signalling 'v_pk_fma_f16 v0, v1, v2, s3' v1=00000001 \
                   v2=00000000 s3=00000000
";
    let options = ["--mode", "round.f16=zero", "--reading", "nan-order=signalling"];
    let text = "v_pk_fma_f16 v0, v1, v2, s3";
    assert_eq!(refused("gfx1100", &[&options[..], &[text, "v1=1"]].concat()), missing);
    // The half that stays is read, too.
    assert!(
        refused("gfx1100", &[MIXLO[0], "v1=0", "v2=0"]).starts_with("error: v0 is read but not given; with zeros:\n")
    );
    assert_eq!(refused("gfx1100", &[FMA, "v1=0", "v1=0"]), "error: v1 is given twice\n");
    assert_eq!(refused("gfx1100", &[FMA, "v1=1.0"]), "error: `v1=1.0`: a register holds 1 to 8 hexadecimal digits\n");
    let ran = eval("gfx1100", &[FMA, "v1=0", "v2=0", "v3=0", "v0=1", "s7=1"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "warning: v0, s7 are given but not read\n"));
}

#[test]
fn what_is_wrong_with_an_instruction() {
    let expected = "\
error: column 26: `v999` does not exist on gfx1100: the last one is v255
  v_pk_fma_f16 v0, v1, v2, v999
                           ^~~~
";
    assert_eq!(refused("gfx1100", &["v_pk_fma_f16 v0, v1, v2, v999", "v1=0"]), expected);
    let expected = "\
error: bad window, column 10: `040e048` is not as long as what stands before it
  d3a00005 040e048
           ^
";
    assert_eq!(refused("gfx900", &["d3a00005 040e048", "v1=0"]), expected);
    let undefined = "error: 'd38f4000 180202ff' is no instruction of gfx900: selector 255 of source 0 is a literal, which \
                     VOP3P takes from gfx10 on (literal-before-gfx10)\n";
    assert_eq!(refused("gfx900", &["d38f4000 180202ff"]), undefined);
    let hint = "  a run of digits is bytes in memory order; as the dwords 'd3a00005 040e0480' it is \
                v_mad_mix_f32 v5, 0, v2, v3\n";
    assert!(refused("gfx900", &["d3a00005040e0480"]).ends_with(hint));
    let dot =
        "error: v_dot2_f32_f16 is a dot product, which is not computed yet; packed math, mix and v_pk_mov_b32 are\n";
    assert_eq!(refused("gfx1100", &["v_dot2_f32_f16 v0, v1, v2, v3"]), dot);
    let matrix = refused("gfx90a", &["v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]"]);
    assert!(
        matrix.starts_with("error: v_mfma_f32_4x4x1f32 is a matrix instruction, which is not computed yet"),
        "{matrix}"
    );
    assert!(refused("gfx1100", &["v1=0"]).starts_with("error: there is no instruction"));
    // What is illegal or reserved is computed all the same: 1 · 2 + 3.
    let ran = eval("gfx900", &["v_pk_fma_f16 v0, s1, s2, v3", "s1=3c003c00", "s2=40004000", "v3=42004200"]);
    assert_eq!((ran.code, ran.first()), (0, "v0=0x45004500"));
    let expected = "\
warning: more different scalar values than one instruction may read (one before gfx10, two from gfx10 on) (scalar-limit, \
                    illegal)
  v_pk_fma_f16 v0, s1, s2, v3
                       ^~
";
    assert_eq!(ran.err, expected);
}

#[test]
fn what_is_wrong_with_mode_and_readings() {
    let message = |args: &[&str]| {
        let err = refused("gfx1100", &[args, &[FMA, "v1=0", "v2=0", "v3=0"]].concat());
        err.lines().next().unwrap().to_owned()
    };
    let mode = message(&["--mode", "round.f32=up"]);
    assert!(mode.ends_with("`round.f32=up`: the value is one of rne, +inf, -inf, zero"), "{mode}");
    let reading = message(&["--reading", "mixlow=single"]);
    assert!(reading.ends_with("did you mean `mixlo`? (`vop3p readings` lists them)"), "{reading}");
    let reading = message(&["--reading", "mixlo=triple"]);
    assert!(reading.ends_with("`triple` is no answer to `mixlo`: double, single"), "{reading}");
    let twice = message(&["--reading", "mixlo=single,mixlo=double"]);
    assert_eq!(twice, "error: --reading answers `mixlo` twice");
}

#[test]
fn what_has_no_effect_is_noted() {
    let notes = |target: &str, args: &[&str]| {
        let ran = eval(target, args);
        let note = |line: &str| line.strip_prefix("note          ").map(str::to_owned);
        ran.out.lines().filter_map(note).collect::<Vec<_>>()
    };
    let fma = [FMA, "v1=0", "v2=0", "v3=0"];
    let with = |options: &[&'static str]| [options, &fma[..]].concat();
    assert!(notes("gfx1201", &fma).is_empty());
    let both = "gfx1201 has no DX10_CLAMP and no IEEE in MODE: it behaves as with both set";
    assert_eq!(notes("gfx1201", &with(&["--mode", "ieee=0"])), [both]);
    assert!(notes("gfx1100", &with(&["--mode", "ieee=0"])).is_empty());
    let bits = "MODE bits 16, 12 decide nothing on gfx1100: ignored";
    assert_eq!(notes("gfx1100", &with(&["--mode", "0x113f0"])), [bits]);
    assert_eq!(notes("gfx1100", &with(&["--reading", "mixlo=single"])), ["nothing here rests on mixlo"]);
    let captured = "no source supports invalid-product=addend on gfx1100";
    let nan = [FMA, "v1=0", "v2=7c00", "v3=7e01", "--reading", "invalid-product=addend"];
    assert_eq!(notes("gfx1100", &nan), [captured]);
    let ran = eval("gfx1100", &nan);
    assert_eq!(ran.first(), "v0=0x00007e01");
    assert!(ran.out.contains("\nknown         by no source: none supports invalid-product=addend\n"), "{}", ran.out);
    let dpp = "with DPP, source 0 is taken as what the lane receives";
    let args = ["v_pk_add_bf16 v0, v1, v2", "v1=0", "v2=0"];
    assert!(notes("gfx1250", &args).is_empty());
    let args = ["v_fma_mix_f32_e64_dpp v0, v1, v2, v3 row_ror:1", "v1=0", "v2=0", "v3=0"];
    assert_eq!(notes("gfx1100", &args), [dpp]);
}

#[test]
fn mpfr_is_asked_beside() {
    let ran = eval("gfx1100", &[&["--against", "mpfr"], &MIXLO[..]].concat());
    assert_eq!(ran.code, 0);
    assert!(ran.out.ends_with("\nMPFR          v0=0xdead3c00, the same\n"), "{}", ran.out);
    assert_eq!(eval("gfx1100", &[&["--against", "bc"], &MIXLO[..]].concat()).code, 2);
}

#[test]
fn without_a_target_targets_are_grouped_by_answer() {
    // Two quiet NaNs: S1 up to RDNA2, S0 on RDNA3, S0 of the new instruction, whose name the old one still is.
    let ran = vop3p(&["eval", "v_pk_min_f16 v0, v1, v2", "v1=7e017e01", "v2=7e027e02"]);
    let expected = "\
v0=0x7e027e02
  instruction v_pk_min_f16 v0, v1, v2
  known       documented: vega, vega7, cdna1-4, rdna1, rdna2
v0=0x7e017e01
  instruction v_pk_min_f16 v0, v1, v2
  known       documented: rdna3, rdna3.5
v0=0x7e017e01
  instruction v_pk_min_num_f16 v0, v1, v2
";
    assert!(ran.code == 0 && ran.out.starts_with(expected), "{}{}", ran.out, ran.err);
    let ran = vop3p(&["eval", "v_pk_maximum3_f16 v0, v1, v2, v3", "v1=0", "v2=3c00", "v3=0", "--against", "mpfr"]);
    let expected = "\
v0=0x00003c00
  instruction v_pk_maximum3_f16 v0, v1, v2, v3
  known       documented: cdna4, cdna5
  MPFR        v0=0x00003c00, the same
not computed  on vega, vega7, cdna1-3, rdna1-4
";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
    let ran = vop3p(&["eval", "v_pk_fma_f16 v0, v1, v2", "v1=0"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("error: no target computes this; on gfx"), "{}", ran.err);
    let ran = vop3p(&["eval", FMA, "v1=0"]);
    let expected = "error: v2, v3 are read but not given; with zeros:\n  vop3p eval 'v_pk_fma_f16 v0, v1, v2, v3' v1=00000000 \
                    v2=00000000 v3=00000000\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, expected));
    assert_eq!(vop3p(&["eval", "--explain", FMA, "v1=0"]).code, 2);
}

#[test]
fn eval_as_json() {
    let ran =
        eval("gfx1100", &[&["--json", "--explain", "--against", "mpfr", "--mode", "ieee=0"], &MIXLO[..]].concat());
    let json = ran.json();
    assert_eq!((&json["schema"], &json["target"]), (&1.into(), &"gfx1100".into()));
    assert_eq!(json["text"], MIXLO[0]);
    assert_eq!((&json["mode"]["raw"], &json["mode"]["fields"]), (&"0x1f0".into(), &"ieee=0".into()));
    assert_eq!(
        (&json["registers"][0]["register"], &json["registers"][0]["bits"]),
        (&"v1".into(), &"0x38000000".into())
    );
    assert_eq!((&json["result"][0]["register"], &json["result"][0]["bits"]), (&"v0".into(), &"0xdead3c00".into()));
    assert_eq!((&json["provenance"], &json["weakest"]), (&"emulator".into(), &"mix-result-round=f16".into()));
    assert_eq!((&json["grounds"][1]["question"], &json["grounds"][1]["reading"]), (&"mixlo".into(), &"double".into()));
    assert_eq!(json["grounds"][1]["provenance"], "documented");
    let other = &json["others"][0];
    assert_eq!((&other["reading"], &other["result"][0]["bits"]), (&"single".into(), &"0xdead3c01".into()));
    assert_eq!(json["mpfr"]["agrees"], true);
    assert_eq!((&json["steps"][0]["of"], &json["steps"][0]["step"]), (&"low half".into(), &"S0".into()));
    let all = vop3p(&["eval", "--json", "v_pk_min_f16 v0, v1, v2", "v1=0", "v2=0"]).json();
    assert_eq!(all["evaluations"].as_array().unwrap().len(), 39);
}

#[test]
fn readings_lists_questions_and_who_answers() {
    let ran = vop3p(&["readings", "both-nan"]);
    let expected = "\
both-nan: what V_PK_MIN_F16 and V_PK_MAX_F16 make of two NaNs
  second      source 1 (default on vega, vega7, cdna1-4, rdna1, rdna2)
                documented         vega, vega7, cdna1-4, rdna1, rdna2: formulas of the Vega, CDNA1 to CDNA4, RDNA1 and RDNA2 \
                    manuals
  first       source 0 (default on rdna3, rdna3.5)
                documented         rdna3, rdna3.5: formulas of the RDNA3 and RDNA3.5 manuals
";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
    let ran = vop3p(&["readings", "-t", "gfx1100", "both-nan", "mix-flush"]);
    let expected = "\
both-nan: what V_PK_MIN_F16 and V_PK_MAX_F16 make of two NaNs
  first       source 0 (default)
                documented         formulas of the RDNA3 and RDNA3.5 manuals

mix-flush: whether mix flushes whatever FP_DENORM says
  mode        no: FP_DENORM decides (default)
                documented         MODE table of each manual
";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
    let none = vop3p(&["readings", "-t", "gfx900", "bf16-round"]);
    assert_eq!((none.code, none.out.as_str()), (0, "no source speaks of bf16-round on gfx900\n"));
    let ran = vop3p(&["readings", "both-nans"]);
    let near = "error: `both-nans` is no numeric question; did you mean `both-nan`? (`vop3p readings` lists them)\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, near));
    assert!(vop3p(&["readings"]).out.contains("\nmixlo: how often a mix result of 16 bits is rounded\n"));
    let json = vop3p(&["readings", "--json", "mixlo"]).json();
    let single = &json["questions"][0]["readings"][1];
    assert_eq!((&json["schema"], &single["reading"]), (&1.into(), &"single".into()));
    assert_eq!(single["support"][0]["provenance"], "emulator");
    assert!(single["support"][0]["targets"].as_array().unwrap().contains(&"gfx1100".into()));
}

/// A replay where there is no LLVM.
fn replay(args: &[&str]) -> Ran {
    finish(command(&[&["replay"], args].concat()).env("VOP3P_LLVM", "no/such/directory"))
}

#[test]
fn replay_takes_results_and_asks_no_llvm() {
    let kernel = "gfx1100 kernel fma f16 mode=round.f16=+inf 0001 0001 7800";
    let ran = replay(&[&format!("{kernel} => 7801")]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "our arithmetic and MPFR: 1 result, 1 passed, 0 failed\n"));
    let mixlo = "gfx1100 v_fma_mixlo_f16 v0, v1, v1, v2 v0=dead0000 v1=38000000 v2=3f801000";
    let right = format!("{mixlo} => reading mixlo=double: v0=dead3c00; reading mixlo=single: v0=dead3c01");
    // Without an answer we and MPFR must agree.
    assert_eq!(replay(&[&right, mixlo]).code, 0);
    let wrong = right.replace("dead3c01", "dead3c02");
    let ran = replay(&[&right, &wrong, &format!("{kernel} => 7800")]);
    let expected = format!(
        "\
argument:2: failed: {wrong}
  we compute v0=dead3c01 under mixlo=single, not v0=dead3c02
  MPFR computes v0=dead3c01 under mixlo=single, not v0=dead3c02
argument:3: failed: {kernel} => 7800
  we compute 7801, not 7800
  MPFR computes 7801, not 7800
our arithmetic and MPFR: 3 results, 1 passed, 2 failed
"
    );
    assert_eq!((ran.code, ran.out.as_str()), (1, expected.as_str()));
    let json = replay(&["--json", &right, &wrong]).json();
    assert_eq!((&json["values"][0]["verdict"], &json["values"][1]["verdict"]), (&"passed".into(), &"failed".into()));
    let dot = replay(&["gfx1100 v_dot2_f32_f16 v0, v1, v2, v3 v1=00000000 v2=00000000 v3=00000000 => v0=00000000"]);
    assert_eq!((dot.code, dot.out.lines().nth(1)), (1, Some("  this instruction is not computed yet")));
    let bad = replay(&["gfx1100 v_pk_add_f16 v0, v1, v2 v1=1"]);
    assert_eq!((bad.code, bad.err.as_str()), (2, "error: argument:1:33: `v1=1`: `1` is not 8 hexadecimal digits\n"));
    // With other lines LLVM is needed.
    assert_eq!(replay(&[&right, "gfx900 d3a00005 040e0480 => agree"]).code, 3);
    let ran = replay(&["--no-llvm", &right, "gfx900 d3a00005 040e0480 => text: v_mad_mix_f32 v5, 0, v2, v3"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2));
}

#[test]
fn replay_takes_the_corpora_of_results() {
    for directory in ["corpus/vectors", "corpus/open"] {
        let files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()).collect();
        let ran = replay(&files.iter().map(|file| file.to_str().unwrap()).collect::<Vec<_>>());
        assert!(ran.code == 0 && ran.out.ends_with(" passed, 0 failed\n"), "{}{}", ran.out, ran.err);
    }
}
