use super::*;
use crate::ledger::Ledger;
use crate::oracle::llvm::Death;

/// A window, or a list as a check has it.
fn encoding(text: &str) -> Encoding {
    match text.parse::<Window>() {
        Ok(window) => window.into(),
        Err(_) => Encoding::parse(text).unwrap().unwrap(),
    }
}

fn assembles(text: &str, bytes: Option<&str>, printed: Option<&str>) -> Expect {
    let bytes = bytes.map(encoding);
    Expect::Assembles { text: text.to_owned(), bytes, printed: printed.map(str::to_owned) }
}

fn refuses(text: &str) -> Expect {
    Expect::Refuses { text: text.to_owned(), message: None }
}

fn prints(window: &str, text: &str, again: Option<&str>) -> Expect {
    let again = again.map(encoding);
    Expect::Prints { bytes: window.parse().unwrap(), text: text.to_owned(), again }
}

fn rejects(window: &str) -> Expect {
    Expect::Rejects { bytes: window.parse().unwrap() }
}

/// `agrees`, `new`, or the ids of the entries.
fn verdict(ledger: &Ledger, cpu: &str, expect: &Expect, version: &str) -> String {
    let target = cpu.parse().unwrap();
    let (_, verdict) = one(target, expect, &Entries::new(ledger, target, version));
    match &verdict {
        Verdict::Agrees => "agrees".to_owned(),
        Verdict::New(_) => "new".to_owned(),
        known => known.entries().join(", "),
    }
}

#[test]
fn every_row_of_the_table() {
    let ledger = Ledger::builtin().unwrap();
    let plain = "v_pk_add_f16 v7, v8, v9";
    for (cpu, expect, expected) in [
        ("gfx1100", assembles(plain, Some("cc0f4007 18021308"), Some(plain)), "agrees"),
        ("gfx1100", assembles(plain, None, None), "agrees"),
        ("gfx1100", assembles(plain, Some("[0x07,0x40,0x0f,0xcc,0x0"), None), "agrees"),
        ("gfx1100", assembles(plain, Some("[0xff,0xff,0x0f"), None), "new"),
        ("gfx1100", assembles(plain, Some("[0x07,0x40]"), None), "new"),
        ("gfx1100", assembles(plain, Some("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00]"), None), "new"),
        ("gfx1100", assembles(plain, Some("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x00,0x00"), None), "new"),
        ("gfx1100", assembles(plain, Some("[0x07,0x40,0x0f,0xcc,0x08,0x13,0x02,0x18,0x0"), None), "new"),
        ("gfx1100", prints("cc0f4007 18021308", plain, Some("[0x07,0x41")), "new"),
        ("gfx1100", assembles(plain, Some("cc0f4007 18021508"), None), "new"),
        ("gfx1100", assembles(plain, Some("cc0f4007 18021308"), Some("v_pk_add_f16 v7, v8, v10")), "new"),
        ("gfx1100", assembles(plain, None, Some("v_pk_add_f16 v7, v8, v10")), "new"),
        ("gfx900", assembles("v_pk_add_f16 v7, s8, s9", None, None), "new"),
        ("gfx900", assembles("no instruction", None, None), "new"),
        (
            "gfx1100",
            assembles("v_dot4_i32_iu8 v7, v8, v9, v10 neg_hi:[1,0,0]", Some("cc164107 1c2a1308"), None),
            "iu-neg",
        ),
        ("gfx1100", refuses("v_pk_add_f16 v7, v8"), "agrees"),
        ("gfx900", refuses("v_pk_add_f16 v7, s8, s9"), "agrees"),
        ("gfx1100", refuses(plain), "new"),
        // CBSZ is reserved there, which is noted.
        ("gfx908", refuses("v_mfma_f32_32x32x2bf16 a[0:31], v0, v1, a[0:31] cbsz:6"), "agrees"),
        ("gfx908", refuses("v_mfma_f32_32x32x1f32 a[0:31], v0, v1, 0"), "mfma-constant-c-cdna1"),
        ("gfx1100", prints("cc0f4007 18021308", plain, None), "agrees"),
        ("gfx1100", prints("cc0f4007 18021308", "v_pk_add_f16 v7, v8, v10", None), "new"),
        // OP_SEL_HI of source 2, which is not there: LLVM writes 1.
        ("gfx1100", prints("cc0f0007 18021308", plain, Some("cc0f4007 18021308")), "agrees"),
        ("gfx1100", prints("cc0f0007 18021308", plain, Some("cc0f0007 18021308")), "new"),
        // The instruction is shorter than what was read.
        ("gfx1100", prints("cc0f4007 18021308 00000000", plain, None), "new"),
        ("gfx1100", prints("cc0f4007 18021308", "v_pk_add_f16 v7, 1/*Invalid immediate*/, v9", None), "new"),
        (
            "gfx1200",
            prints(
                "cc404010 1c4210f2",
                "v_wmma_f32_16x16x16_f16 v[16:23], 1.0/*Invalid immediate*/, v[8:11], v[16:23]",
                Some("cc404010 1c421000"),
            ),
            "agrees",
        ),
        ("gfx1250", prints("cc350000 04028120", "v_wmma_ld_scale_paired_b32 v32, v64", None), "lone-scale-word"),
        ("gfx1100", rejects("cc0f4007 18021308"), "new"),
        ("gfx1100", rejects("cc0f40e0 180204d1"), "agrees"),
        // An ignored bit is noted.
        ("gfx1100", rejects("cc0f60e0 180207e0"), "agrees"),
    ] {
        assert_eq!(verdict(&ledger, cpu, &expect, "22.1.8"), expected, "{cpu} {expect:?}");
    }
    let target = "gfx900".parse().unwrap();
    let (ours, verdict) = one(target, &assembles("v_pk_mov v7", None, None), &Entries::new(&ledger, target, ""));
    let finding = &verdict.findings()[0].finding;
    assert_eq!((finding.ours.as_str(), finding.theirs.as_str()), (ours.as_str(), "assembles"));
}

#[test]
fn what_there_is_no_target_for() {
    let judged_by = |ledger: &Ledger, cpu: &str, target: WhyNot, expect: Expect| {
        let case = Case {
            file: "t.s".to_owned(),
            line: 1,
            cpu: cpu.to_owned(),
            features: super::super::Features::default(),
            target: Err(target),
            expect,
        };
        judge(&[case], ledger, None, |_| {}).unwrap()[0].verdict.clone()
    };
    let judged = |cpu: &str, target, expect| judged_by(&Ledger::default(), cpu, target, expect);
    let text = "v_pk_add_f16 v7, v8, v9";
    assert_eq!(judged("tonga", WhyNot::NoVop3p, refuses(text)), Verdict::AgreesWithout(WhyNot::NoVop3p));
    let wave = WhyNot::Wave(64);
    assert_eq!(judged("gfx1250", wave.clone(), rejects("cc0f4007 18021308")), Verdict::AgreesWithout(wave.clone()));
    assert_eq!(judged("gfx1250", wave.clone(), assembles(text, None, None)), Verdict::Skipped(wave.clone()));
    let builtin = Ledger::builtin().unwrap();
    let known = judged_by(&builtin, "gfx1250", wave.clone(), assembles(text, None, None));
    assert_eq!(known, Verdict::KnownWithout(wave.clone(), "cdna5-wave64".to_owned()));
    assert_eq!(known.entries(), ["cdna5-wave64"]);
    let refused = judged_by(&builtin, "gfx1250", wave.clone(), rejects("cc0f4007 18021308"));
    assert_eq!(refused, Verdict::AgreesWithout(wave));
    assert_eq!(judged("gfx9999", WhyNot::Unknown, refuses(text)), Verdict::Skipped(WhyNot::Unknown));
}

#[test]
fn an_entry_that_is_silent_explains_only_tests_of_an_llvm_that_is_not_named() {
    let dir = tempfile::tempdir().unwrap();
    let entry = "[[entry]]\nid = 'old'\ntitle = 't'\nverdict = 'llvm-wrong'\nreason = 'r'\ncitations = ['c']\n\
                 [[entry.sign]]\nkind = 'assembling'\nours = 'legal'\ntheirs = 'rejects'\nfires = ['19.1.7']\n\
                 silent = ['22.1.8']\nwitnesses = ['gfx1100 asm: v_pk_add_f16 v7, v8, v9']\n\
                 [[entry.sign.when]]\nopcodes = ['V_PK_ADD_F16']\n";
    std::fs::write(dir.path().join("old.toml"), entry).unwrap();
    let mut ledger = Ledger::default();
    ledger.add_dir(dir.path()).unwrap();
    let text = "v_pk_add_f16 v7, v8, v9";
    for (version, expected) in [("", "old"), ("19.1.7", "old"), ("22.1.8", "new")] {
        assert_eq!(verdict(&ledger, "gfx1100", &refuses(text), version), expected, "{version}");
    }
    // One that fires is missed where there is no difference.
    for (version, expected) in [("", "agrees"), ("19.1.7", "new")] {
        let expect = assembles(text, Some("cc0f4007 18021308"), None);
        assert_eq!(verdict(&ledger, "gfx1100", &expect, version), expected, "{version}");
    }
}

#[test]
fn the_llvm_at_hand_beside_the_test() {
    let text = "v_pk_add_f16 v7, v8, v9";
    let taken = Theirs::Bytes { bytes: vec![7, 0x40, 0x0f, 0xcc, 8, 0x13, 2, 0x18], text: text.to_owned() };
    let refused = Theirs::Refused { message: "no".to_owned(), column: 1 };
    let differs = |said: &str| AtHand::Differs(said.to_owned());
    for (expect, theirs, expected) in [
        (assembles(text, None, None), &taken, AtHand::Same),
        (assembles(text, Some("cc0f4007 18021308"), None), &taken, AtHand::Same),
        (assembles(text, Some("cc0f4007 18021508"), None), &taken, differs("assembles to cc0f4007 18021308")),
        (assembles(text, None, None), &refused, differs("refuses: no")),
        (refuses(text), &refused, AtHand::Same),
        (refuses(text), &taken, differs("assembles to cc0f4007 18021308")),
        (refuses(text), &Theirs::Dead(Death::Signal(11)), differs("dies: signal 11")),
    ] {
        assert_eq!(assembled_at_hand(&expect, theirs), expected, "{expect:?} {theirs:?}");
    }
    let shows = |text: &str| Answer::Text { text: text.to_owned(), bytes: Some(8) };
    let remark = Answer::Annotated { text: "v_pk_add_f16 v7, s0/*Invalid register*/, v9".to_owned(), bytes: Some(8) };
    let word = "cc0f4007 18021308";
    for (expect, answer, expected) in [
        (prints(word, text, None), shows("v_pk_add_f16  v7, v8, v9"), AtHand::Same),
        (prints(word, text, None), shows("v_pk_mul_f16 v7, v8, v9"), differs("prints v_pk_mul_f16 v7, v8, v9")),
        (prints(word, text, None), Answer::Invalid, differs("rejects")),
        (rejects(word), Answer::Invalid, AtHand::Same),
        (rejects(word), remark, AtHand::Same),
        (rejects(word), shows(text), differs("prints v_pk_add_f16 v7, v8, v9")),
    ] {
        assert_eq!(disassembled_at_hand("gfx1100".parse().unwrap(), &expect, &answer), expected, "{expect:?}");
    }
}
