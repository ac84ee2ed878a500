//! What the fields of a matrix word mean, read from its layout.

use super::names::{operand_names, source_name};
use crate::codec::Undefined;
use crate::isa::{
    self, File, Fixed, LITERAL, Matrix, MatrixLayout, Modifier, Modifiers, Opcode, Rule, Source, Spelling, State,
    Target,
};

/// A matrix word, alone or as half of a scaled pair.
pub(super) struct MatrixWord<'a> {
    pub target: Target,
    pub opcode: &'static Opcode,
    pub layout: &'static MatrixLayout,
    pub word: u64,
    /// Why it is undefined, and the slot of its first source in that.
    pub undefined: Option<(&'a Undefined, u8)>,
}

/// What a bit of the word does.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Fixed(&'static Fixed),
    Modifier(Modifier),
    /// The register file of an operand: 0 for the destination.
    File(usize),
    /// The same by ACC_CD, which CDNA1 does not have.
    AccCd,
    Negated,
    /// NEG_HI of A and B.
    HighNegated,
    /// NEG_HI of C.
    Absolute,
    Signed,
    /// The half of C and D.
    Half,
    /// The low or the high bit of the byte of each scale.
    Byte,
    Clamp,
    Unknown,
}

/// The lowest bit and the width of the fields of the destination and the sources.
const OPERANDS: [(u8, u8); 4] = [(0, 8), (32, 9), (41, 9), (50, 9)];
/// NEG_HI of A and B.
const NEG_HI_AB: u64 = 3 << 8;

impl MatrixWord<'_> {
    fn names(&self) -> [&'static str; 4] {
        self.opcode.matrix().map_or([""; 4], operand_names)
    }

    fn bits(&self, (lo, width): (u8, u8)) -> u64 {
        self.word >> lo & ((1 << width) - 1)
    }

    fn bit(&self, bit: u8) -> bool {
        self.word >> bit & 1 != 0
    }

    fn value(&self, modifier: Modifier) -> u8 {
        let parts = self.layout.modifiers.iter().find(|(one, _)| *one == modifier).map_or(&[][..], |(_, parts)| *parts);
        parts.iter().fold((0, 0), |(value, at), part| (value | self.bits(*part) << at, at + part.1)).0 as u8
    }

    fn dwords(&self) -> [u8; 4] {
        let modifiers = self.layout.modifiers.iter();
        let modifiers =
            modifiers.fold(Modifiers::NONE, |all, (modifier, _)| all.with(*modifier, self.value(*modifier)));
        self.opcode.dwords(self.target, modifiers)
    }

    /// The destination (0) or a source (1 to 3).
    pub(super) fn operand(&self, slot: usize) -> String {
        let (lo, width) = OPERANDS[slot];
        let mask = ((1 << width) - 1) << lo;
        if let Some(row) = self.layout.fixed.iter().find(|row| row.bits & mask == mask) {
            return self.fixed(row, &(lo..lo + width).collect::<Vec<_>>());
        }
        if slot > self.opcode.sources() {
            return "not used".to_owned();
        }
        let selector = self.bits((lo, width)) as u16;
        if let Some((undefined @ Undefined::Selector { slot: at, .. }, first)) = self.undefined
            && usize::from(*at) + 1 == slot + usize::from(first)
        {
            return format!("undefined: {}", undefined.id());
        }
        let name = self.names()[slot];
        let source = match slot {
            0 => Some(Source::Vgpr(selector as u8)),
            _ => isa::source(self.target.generation(), selector),
        };
        match source {
            Some(source) => {
                let source = match source {
                    Source::Vgpr(number) if self.is_acc(slot) => Source::Agpr(number),
                    other => other,
                };
                let is_listed = slot == 0 || self.layout.kinds[slot - 1].lists(source);
                let broken = if is_listed { String::new() } else { format!(", breaks {}", Rule::MatrixSource.id()) };
                format!("{}, {name}{broken}", source_name(source, self.dwords()[slot]))
            }
            None if selector == LITERAL => format!("literal, {name}"),
            None => "undefined".to_owned(),
        }
    }

    fn is_acc(&self, slot: usize) -> bool {
        match self.layout.files[slot] {
            File::Vgpr => false,
            File::Acc => true,
            File::Bit(bit) => self.bit(bit),
            File::AccCd => !self.target.rules().acc_cd || self.bit(15),
        }
    }

    /// Any other field: its bits in the word, lowest part of the value first.
    pub(super) fn field(&self, parts: &[(u8, u8)]) -> String {
        let bits: Vec<u8> = parts.iter().flat_map(|(lo, width)| *lo..lo + width).collect();
        let mut groups: Vec<(Role, usize, Vec<u8>)> = Vec::new();
        for (place, bit) in bits.iter().enumerate() {
            let role = self.role(*bit);
            match groups.last_mut() {
                Some((last, _, group)) if *last == role => group.push(*bit),
                _ => groups.push((role, place, vec![*bit])),
            }
        }
        let text = |(role, place, group): &(Role, usize, Vec<u8>)| {
            let what = self.says(*role, group);
            match group.len() {
                len if len == bits.len() => what,
                1 => format!("[{place}] {what}"),
                len => format!("[{}:{place}] {what}", place + len - 1),
            }
        };
        groups.iter().map(text).collect::<Vec<_>>().join("; ")
    }

    fn role(&self, bit: u8) -> Role {
        let layout = self.layout;
        let has = |bits: u64| bits >> bit & 1 != 0;
        if let Some(row) = layout.checks.iter().chain(layout.fixed).find(|row| has(row.bits)) {
            return Role::Fixed(row);
        }
        let holds = |parts: &[(u8, u8)]| parts.iter().any(|(lo, width)| (*lo..lo + width).contains(&bit));
        if let Some((modifier, _)) = layout.modifiers.iter().find(|(_, parts)| holds(parts)) {
            return Role::Modifier(*modifier);
        }
        if let Some(slot) = layout.files.iter().position(|file| *file == File::Bit(bit)) {
            return Role::File(slot);
        }
        if bit == 15 && layout.files.contains(&File::AccCd) {
            return Role::AccCd;
        }
        let is_scale = self.opcode.matrix().is_some_and(Matrix::is_scale);
        let gives_sign = layout.checks.iter().any(|row| row.rule == Rule::IuNeg);
        match bit {
            _ if !has(layout.kept) => Role::Unknown,
            8 | 9 => Role::HighNegated,
            10 => Role::Absolute,
            11 | 12 | 59 | 60 if is_scale => Role::Byte,
            13 => Role::Half,
            15 => Role::Clamp,
            61 | 62 if gives_sign => Role::Signed,
            61..=63 => Role::Negated,
            _ => Role::Unknown,
        }
    }

    /// What bits of one role say.
    fn says(&self, role: Role, bits: &[u8]) -> String {
        let [d, a, b, c] = self.names();
        let those = |none: &str, what: &str, name: &dyn Fn(u8) -> String| {
            let set: Vec<String> = bits.iter().filter(|bit| self.bit(**bit)).map(|bit| name(*bit)).collect();
            if set.is_empty() { none.to_owned() } else { format!("{what}: {}", set.join(", ")) }
        };
        let source = |bit: u8| [a, b, c][usize::from((bit & 31) - if bit < 32 { 8 } else { 29 })];
        match role {
            Role::Fixed(row) => self.fixed(row, bits),
            Role::Modifier(modifier) => self.modifier(modifier),
            Role::File(slot) if self.bits(OPERANDS[slot]) < 256 => {
                format!("changes nothing: {} is no vector register", self.names()[slot])
            }
            Role::File(slot) => format!("{} in {}", self.names()[slot], file_name(self.is_acc(slot))),
            Role::AccCd => {
                let both = if self.layout.files[3] == File::AccCd { format!("{d} and {c}") } else { d.to_owned() };
                let files = file_name(self.is_acc(0));
                let reserved = match (self.target.rules().acc_cd, self.bit(15)) {
                    (true, _) => "",
                    (false, false) => "reserved, to be 0: ",
                    (false, true) => "reserved, to be 0, breaks acc-cd-reserved: ",
                };
                format!("{reserved}{both} in {files}")
            }
            Role::Negated if bits == [63] => format!("{c} {}", if self.bit(63) { "negated" } else { "not negated" }),
            Role::Negated => those("nothing negated", "negated", &|bit| {
                let half = if self.layout.kept & NEG_HI_AB != 0 && bit != 63 { "low half of " } else { "" };
                format!("{half}{}", source(bit))
            }),
            Role::HighNegated => those("nothing negated", "negated", &|bit| format!("high half of {}", source(bit))),
            Role::Absolute => format!("{c} {}", if self.bit(10) { "absolute" } else { "not absolute" }),
            Role::Signed => {
                let sign = |bit: u8| if self.bit(bit) { "signed" } else { "unsigned" };
                format!("{a} {}, {b} {}", sign(61), sign(62))
            }
            Role::Half => format!("{c} and {d} in the {} halves", if self.bit(13) { "high" } else { "low" }),
            Role::Byte => {
                let byte = |low: u8, high: u8| u8::from(self.bit(low)) | u8::from(self.bit(high)) << 1;
                let which = if bits.contains(&11) { "low" } else { "high" };
                format!("{which} bits of byte {} of A, {} of B", byte(11, 59), byte(12, 60))
            }
            Role::Clamp => if self.bit(15) { "result clamped" } else { "result not clamped" }.to_owned(),
            Role::Unknown => String::new(),
        }
    }

    fn fixed(&self, row: &Fixed, bits: &[u8]) -> String {
        let value =
            |word: u64| bits.iter().enumerate().fold(0, |value, (place, bit)| value | (word >> bit & 1) << place);
        let (is, wanted) = (value(self.word), value(row.amd));
        let rule = row.rule.row();
        let broken = if is == wanted { String::new() } else { format!(", breaks {}", rule.id) };
        match rule.state {
            State::Ignored => "changes nothing".to_owned(),
            State::Reserved => format!("reserved, to be {wanted}{broken}"),
            State::Illegal => format!("must be {wanted}{broken}"),
        }
    }

    fn modifier(&self, modifier: Modifier) -> String {
        let value = self.value(modifier);
        let matrix = self.opcode.matrix();
        // CDNA4 has the formats of CDNA5 in other fields.
        let formats = Modifier::MatrixAFmt;
        match (modifier, matrix) {
            (Modifier::Cbsz, Some(Matrix::MfmaF8f6f4)) => format!("A is {}", name_of(formats, value)),
            (Modifier::Blgp, Some(Matrix::MfmaF8f6f4)) => format!("B is {}", name_of(formats, value)),
            (Modifier::Cbsz, Some(Matrix::Smfmac)) => "picks the set of indices, with abid".to_owned(),
            (Modifier::Abid, Some(Matrix::Smfmac)) => "picks the set of indices, with cbsz".to_owned(),
            (Modifier::Cbsz, _) if value == 0 => "no block of A broadcast".to_owned(),
            (Modifier::Cbsz, _) => {
                let blocks = 1_u32 << value;
                let broken = if blocks > u32::from(self.opcode.blocks) { ", breaks cbsz-range" } else { "" };
                format!("one block of A broadcast to {blocks}{broken}")
            }
            (Modifier::Abid, _) if self.value(Modifier::Cbsz) == 0 => "no block of A broadcast".to_owned(),
            (Modifier::Abid, _) => format!("block {value} of A broadcast"),
            (Modifier::Blgp, _) if value == 0 => "lanes of B as they are".to_owned(),
            (Modifier::Blgp, _) => format!("lane group pattern {value} of B"),
            (Modifier::IndexKey, _) => format!("set {value} of the indices"),
            (Modifier::MatrixAFmt, _) => format!("A is {}", name_of(modifier, value)),
            (Modifier::MatrixBFmt, _) => format!("B is {}", name_of(modifier, value)),
            (Modifier::MatrixAScale, _) => format!("row {value} scales A"),
            (Modifier::MatrixBScale, _) => format!("row {value} scales B"),
            (Modifier::MatrixAScaleFmt, _) => format!("scales of A are {}", name_of(modifier, value)),
            (Modifier::MatrixBScaleFmt, _) => format!("scales of B are {}", name_of(modifier, value)),
            (Modifier::MatrixAReuse, _) => format!("A {}", reuse(value)),
            (Modifier::MatrixBReuse, _) => format!("B {}", reuse(value)),
        }
    }
}

const fn file_name(is_acc: bool) -> &'static str {
    if is_acc { "AccVGPRs" } else { "VGPRs" }
}

const fn reuse(value: u8) -> &'static str {
    if value == 0 { "not reused" } else { "reused" }
}

/// `FP8` of `MATRIX_FMT_FP8`.
fn name_of(modifier: Modifier, value: u8) -> String {
    let names = match modifier.row().spelling {
        Spelling::Names(names) => names,
        _ => &[],
    };
    match names.get(usize::from(value)).and_then(|name| name.rsplit('_').next()) {
        Some(name) => name.to_owned(),
        None => format!("in reserved format {value}"),
    }
}
