mod lines;

use self::lines::{BAD, GOOD};
use super::parse;
use crate::asm::{AssembleError, assemble, print, read};
use crate::codec::{Style, Window, decode};
use crate::isa::{Rule, Target};

#[test]
fn lines_assemble() {
    for (cpu, text, window) in GOOD {
        let target: Target = cpu.parse().unwrap();
        let assembled = assemble(target, text, Style::Llvm).unwrap_or_else(|error| panic!("{cpu} {text}: {error}"));
        assert_eq!(assembled.window.to_string(), *window, "{cpu} {text}");
        assert_eq!(parse(target, text), Ok(assembled.instruction));
    }
}

#[test]
fn what_is_wrong_is_said_and_where() {
    for (cpu, text, column, message) in BAD {
        let error = parse(cpu.parse().unwrap(), text).expect_err(text);
        assert_eq!((error.column, error.to_string().as_str()), (*column, *message), "{cpu} {text}");
    }
}

#[test]
fn lines_that_break_a_rule_are_refused_at_the_operand_or_modifier() {
    for (cpu, text, column, rule) in [
        ("gfx900", "v_pk_add_f16 v0, s1, s2", 22, Rule::ScalarLimit),
        ("gfx90a", "v_pk_mul_f32 v[0:1], s[3:4], v[2:3]", 22, Rule::OddSgprPair),
        ("gfx90a", "v_pk_mul_f32 v[0:1], v[2:3], v[5:6]", 30, Rule::OddVgprPair),
        // 33 characters of mnemonic, then operands of 9, 9, 10, 9 and 5 with comma and blank.
        (
            "gfx950",
            "v_mfma_scale_f32_32x32x64_f8f6f4 a[0:15], v[4:11], v[12:19], a[0:15], s24, v25",
            71,
            Rule::MatrixSource,
        ),
        (
            "gfx950",
            "v_mfma_scale_f32_32x32x64_f8f6f4 a[0:15], v[4:11], v[12:19], a[0:15], v24, s25",
            76,
            Rule::MatrixSource,
        ),
        // 36 characters of mnemonic, then 8, 9, 10, 10 and 10.
        (
            "gfx1250",
            "v_wmma_scale16_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v[48:49], v[51:52]",
            84,
            Rule::OddVgprPair,
        ),
        ("gfx1100", "v_dot2_f32_f16 v0, v1, s2, v3 row_shl:1", 24, Rule::DppSrc1),
        ("gfx942", "v_dot2_f32_f16 v0, v1, v2, v3 op_sel_hi:[0,1,1]", 31, Rule::DotOpSel),
        ("gfx1100", "v_dot4_i32_iu8 v0, v1, v2, v3 neg_hi:[1,0,0]", 31, Rule::IuNeg),
        ("gfx942", "v_mfma_f32_32x32x1_2b_f32 a[0:31], v1, v2, a[2:33]", 44, Rule::MatrixOverlap),
        ("gfx942", "v_mfma_f32_32x32x1_2b_f32 a[0:31], s1, v2, 0", 36, Rule::MatrixSource),
    ] {
        let error = assemble(cpu.parse().unwrap(), text, Style::Llvm).expect_err(text);
        assert!(matches!(error, AssembleError::Illegal { rule: found, .. } if found == rule), "{cpu} {text}: {error}");
        assert_eq!(error.columns().0, column, "{cpu} {text}");
    }
    for (cpu, text, column, message) in [
        ("gfx900", "v_pk_add_f16 v0, v1, 0x1234", 22, "source 1 takes no literal here"),
        ("gfx1030", "v_pk_add_f16 v0, 0x1234, 0x1235", 26, "an instruction holds one literal"),
        (
            "gfx942",
            "v_mfma_f32_32x32x1_2b_f32 a[0:31], v1, v2, v[0:31]",
            44,
            "source 2 cannot be in this register file",
        ),
    ] {
        let error = assemble(cpu.parse().unwrap(), text, Style::Llvm).expect_err(text);
        assert_eq!((error.columns().0, error.to_string().as_str()), (column, message), "{cpu} {text}");
    }
}

#[test]
fn what_is_no_ground_to_refuse_is_noted() {
    let noted = |cpu: &str, text: &str, style| {
        let assembled = assemble(cpu.parse().unwrap(), text, style).unwrap();
        (assembled.window.to_string(), assembled.notes.iter().map(Rule::id).collect::<Vec<_>>())
    };
    let text = "v_pk_add_u16 v0, v1, v2 neg_lo:[1,0]";
    assert_eq!(noted("gfx1030", text, Style::Llvm), ("cc0a4000 38020501".to_owned(), vec!["neg-on-integer"]));
    // AMD's assembler leaves the unused OP_SEL_HI[2] zero on gfx10 (llvm/llvm-project#57498).
    assert_eq!(noted("gfx1030", text, Style::Sp3).0, "cc0a0000 38020501");
    assert_eq!(noted("gfx1030", "v_pk_add_u16 v0, v1, v2", Style::Sp3).1, [""; 0]);
}

/// A random number generator with a fixed seed: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Every target, the wave sizes that are not the default included.
fn targets() -> impl Iterator<Item = Target> {
    let unusual = ["gfx1030:w64", "gfx1100:w64", "gfx1150:w64", "gfx1200:w64"].map(|name| name.parse().unwrap());
    Target::all().chain(unusual)
}

/// Words of the target's opcodes with random fields; behind them a literal, DPP or the second half of a pair.
fn random_windows(random: &mut Random, target: Target, count: usize) -> Vec<Window> {
    let opcodes: Vec<_> = target.opcodes().collect();
    (0..count)
        .map(|_| {
            let opcode = opcodes[random.next() as usize % opcodes.len()];
            let mut word = |number: u8| {
                let prefix = target.rules().prefix;
                let mut low = random.next() as u32 & !prefix.mask | prefix.value;
                low = low & !(((1 << prefix.op_bits) - 1) << 16) | u32::from(number) << 16;
                let mut high = random.next() as u32;
                // Mostly VGPRs, at even numbers, so that matrix words are often legal.
                if !random.next().is_multiple_of(4) {
                    high |= 1 << 8 | 1 << 17 | 1 << 26;
                    high &= !(1 | 1 << 9 | 1 << 18);
                    low &= !1;
                }
                [low, high]
            };
            let first = word(opcode.number);
            let body = crate::isa::PAIRS.iter().find(|pair| pair.scale == opcode.number).map_or(0, |pair| pair.body);
            let mut second = word(body);
            if body == 45 {
                second[0] = second[0] & !(15 << 11) | 1 << 11;
            }
            Window::from_dwords(&[first[0], first[1], second[0], second[1]]).unwrap()
        })
        .collect()
}

#[test]
fn what_is_printed_parses_to_the_same() {
    let mut random = Random(1);
    // Texts of these name registers that do not exist, or nothing at all.
    let unspeakable = [Rule::VgprRange, Rule::OddSgprPair, Rule::WideSpecial, Rule::DppCtrl];
    let mut seen = 0;
    for target in targets() {
        for window in random_windows(&mut random, target, 3000) {
            let Ok(decoded) = decode(target, &window) else { continue };
            let instruction = decoded.instruction;
            if unspeakable.iter().any(|rule| decoded.notes.contains(*rule)) {
                continue;
            }
            seen += 1;
            let text = print(target, &instruction);
            assert_eq!(read(target, &text), Ok(instruction), "{target} {window} {text}");
            // Sixteen SGPRs may run past the last one.
            if decoded.notes.contains(Rule::MatrixSource) {
                continue;
            }
            assert_eq!(
                parse(target, &text).map_err(|error| error.to_string()),
                Ok(instruction),
                "{target} {window} {text}"
            );
        }
    }
    assert!(seen > 40_000, "{seen}");
}

#[test]
fn no_text_panics() {
    let mut random = Random(2);
    let extra: Vec<char> = "[](),:|-+.;/*#'\"_ \t\n0x19avse".chars().chain(['é', '\u{0}', '€']).collect();
    for (cpu, text, _) in GOOD {
        let target = cpu.parse().unwrap();
        for _ in 0..200 {
            let mut text: Vec<char> = text.chars().collect();
            for _ in 0..=random.next() % 3 {
                let at = random.next() as usize % text.len();
                let with = extra[random.next() as usize % extra.len()];
                match random.next() % 4 {
                    0 => drop(text.splice(at..=at, [])),
                    1 => text[at] = with,
                    2 => text.insert(at, with),
                    _ => text.truncate(at.max(1)),
                }
                if text.is_empty() {
                    break;
                }
            }
            let text: String = text.into_iter().collect();
            let _ = assemble(target, &text, Style::Sp3).map_err(|error| (error.columns(), error.to_string()));
            let _ = read(target, &text);
        }
    }
    for text in
        ["v_pk_add_f16 v[0:65535], v1, v2", "v_pk_add_f16 v0, v99999, v[65535]", "v_pk_add_f16 v0, [v65535,v0], v2"]
    {
        assert!(parse("gfx900".parse().unwrap(), text).is_err() && read("gfx900".parse().unwrap(), text).is_err());
    }
}

#[test]
fn printed_numbers_are_read_as_they_stand() {
    // Older versions print literals bare that newer ones write as lit(…).
    let source = |cpu: &str, text: &str| read(cpu.parse().unwrap(), text).unwrap().literal();
    assert_eq!(source("gfx1030", "v_pk_add_f16 v0, 0x3c00, v2"), Some(0x3c00));
    assert_eq!(source("gfx1030", "v_pk_add_f16 v0, lit(0x3c00), v2"), Some(0x3c00));
    assert_eq!(source("gfx1030", "v_fma_mix_f32 v0, 0xfdb, v2, v3"), Some(0xfdb));
    assert_eq!(source("gfx1030", "v_pk_add_f16 v0, 1.0, v2"), None);
    assert!(read("gfx1030".parse().unwrap(), "v_pk_add_f16 v0, 65, v2").is_err());
    // What a disassembler shows although the target does not have it.
    assert!(read("gfx1100".parse().unwrap(), "v_pk_add_f16 v0, src_vccz, v2").is_ok());
    assert!(read("gfx90a".parse().unwrap(), "v_pk_add_f32 v[0:1], v[255:256], v[2:3]").is_ok());
    let dpp = "v_dot2_f32_f16_e64_dpp v0, v1, v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0";
    let target = "gfx1100".parse().unwrap();
    assert_ne!(read(target, dpp), Ok(parse(target, dpp).unwrap()));
}
