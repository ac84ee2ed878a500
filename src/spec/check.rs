//! A file of AMD's held against our tables.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::{Aspect, Difference, bits_text};
use super::expect::{Expected, ExpectedForm, ExpectedInstruction, ExpectedOperand, expected};
use super::known::known;
use super::layout::{ExpectedEncoding, ExpectedField, VOP3P_INST_LITERAL};
use super::read::{Document, EncodedField, Encoding, Form, Instruction, Operand};
use super::xml::Place;
use crate::isa::Generation;

/// Fields that hold a literal, where a literal is an operand of its own.
const LITERAL_FIELDS: [&str; 2] = ["LITERAL", "SIMM32"];

/// Every difference between a file and our tables of this generation, in the order of the file.
///
/// With names in `only`, the file need not have the other instructions, and those of them that it has are passed over.
#[must_use]
pub fn check(document: &Document, generation: Generation, only: &[&str]) -> Vec<Difference> {
    let mut expected = expected(generation);
    let known_names: BTreeSet<&str> = expected.instructions.iter().map(|one| one.name).collect();
    let is_wanted = |name: &str| only.is_empty() || only.contains(&name);
    expected.instructions.retain(|one| is_wanted(one.name));
    let mut check = Check { document, expected: &expected, differences: Vec::new(), right: BTreeSet::new() };
    check.instructions(|name| !is_wanted(name) && known_names.contains(name));
    check.encodings();
    check.formats();
    let mut differences = check.differences;
    for difference in &mut differences {
        difference.known = known(generation, difference);
    }
    differences.sort_by_key(|difference| difference.place);
    differences
}

/// The names of the instructions that our tables have for a generation, as AMD spells them.
#[must_use]
pub fn names(generation: Generation) -> Vec<&'static str> {
    expected(generation).instructions.iter().map(|one| one.name).collect()
}

struct Check<'a> {
    document: &'a Document,
    expected: &'a Expected,
    differences: Vec<Difference>,
    /// The opcodes that the file has as we do, by the name of their encoding.
    right: BTreeSet<(&'a str, u32)>,
}

impl<'a> Check<'a> {
    /// Adds a difference, or an encoding to one that is the same in another encoding.
    fn add(&mut self, difference: Difference) {
        let is_same = |known: &&mut Difference| {
            let same = (known.aspect, &known.of, &known.part, &known.file, &known.ours);
            same == (difference.aspect, &difference.of, &difference.part, &difference.file, &difference.ours)
        };
        match self.differences.iter_mut().find(is_same) {
            Some(known) => {
                let new = difference.encodings.into_iter().filter(|name| !known.encodings.contains(name));
                known.encodings.extend(new.collect::<Vec<_>>());
            }
            None => self.differences.push(difference),
        }
    }

    fn instructions(&mut self, is_passed_over: impl Fn(&str) -> bool) {
        let mut found: Vec<&str> = Vec::new();
        for instruction in &self.document.instructions {
            let Some(ours) = self.ours(instruction) else {
                if !is_passed_over(&instruction.name.value) {
                    let opcode = instruction.forms.first().map(|form| form.opcode.value);
                    let whole = self.of_instruction(Aspect::OpcodeExtra, instruction, instruction.place);
                    self.add(Difference { opcode, ..whole });
                }
                continue;
            };
            found.push(ours.name);
            self.instruction(instruction, ours);
        }
        for ours in self.expected.instructions.iter().filter(|ours| !found.contains(&ours.name)) {
            self.add(Difference {
                opcode: Some(ours.number),
                ..blank(Aspect::OpcodeMissing, ours.name, self.document.instructions_at)
            });
        }
    }

    /// The instruction of our tables that one of the file is: by name, else by number if the file has no other of our
    /// name.
    fn ours(&self, instruction: &Instruction) -> Option<&'a ExpectedInstruction> {
        let is_called =
            |one: &Instruction, name: &str| one.name.value == name || one.aliases.iter().any(|alias| alias == name);
        let all = &self.expected.instructions;
        let by_name = |name: &str| all.iter().find(|ours| ours.name == name);
        let named =
            by_name(&instruction.name.value).or_else(|| instruction.aliases.iter().find_map(|alias| by_name(alias)));
        named.or_else(|| {
            let form = instruction.forms.first()?;
            all.iter().find(|ours| {
                ours.number == form.opcode.value
                    && ours.forms.iter().any(|one| one.encoding == form.encoding.value)
                    && !self.document.instructions.iter().any(|other| is_called(other, ours.name))
            })
        })
    }

    fn of_instruction(&self, aspect: Aspect, instruction: &Instruction, place: Place) -> Difference {
        blank(aspect, &instruction.name.value, place)
    }

    fn instruction(&mut self, instruction: &'a Instruction, ours: &'a ExpectedInstruction) {
        let is_named =
            instruction.name.value == ours.name || instruction.aliases.iter().any(|alias| alias == ours.name);
        if !is_named {
            self.add(Difference {
                opcode: Some(ours.number),
                file: instruction.name.value.clone(),
                ours: ours.name.to_owned(),
                ..blank(Aspect::Name, ours.name, instruction.name.place)
            });
        }
        let mut extra: BTreeMap<&str, Place> = BTreeMap::new();
        for form in &instruction.forms {
            match ours.forms.iter().find(|one| one.encoding == form.encoding.value) {
                Some(expected) => self.form(ours, form, expected),
                None => {
                    extra.entry(&form.encoding.value).or_insert(form.place);
                }
            }
        }
        let of = |aspect, encoding: &str, place| Difference {
            opcode: Some(ours.number),
            part: encoding.to_owned(),
            ..blank(aspect, ours.name, place)
        };
        for (encoding, place) in extra {
            self.add(of(Aspect::FormExtra, encoding, place));
        }
        for expected in &ours.forms {
            if !instruction.forms.iter().any(|form| form.encoding.value == expected.encoding) {
                self.add(of(Aspect::FormMissing, expected.encoding, instruction.place));
            }
        }
    }

    fn form(&mut self, ours: &'a ExpectedInstruction, form: &Form, expected: &'a ExpectedForm) {
        let of = |aspect, place| Difference {
            opcode: Some(ours.number),
            encodings: vec![expected.encoding.to_owned()],
            ..blank(aspect, ours.name, place)
        };
        if form.opcode.value == ours.number {
            self.right.insert((expected.encoding, ours.number));
        } else {
            let numbers = (form.opcode.value.to_string(), ours.number.to_string());
            let whole = of(Aspect::OpcodeNumber, form.opcode.place);
            self.add(Difference { opcode: None, file: numbers.0, ours: numbers.1, ..whole });
        }
        let is_literal = |operand: &&Operand| LITERAL_FIELDS.contains(&operand.field.as_str());
        let mut literals = form.operands.iter().filter(is_literal).count();
        for operand in &expected.operands {
            let part = operand.fields[0].to_owned();
            let named = |one: &&Operand| operand.fields.contains(&one.field.as_str());
            match form.operands.iter().find(named) {
                Some(theirs) => self.operand(of, theirs, operand),
                // A literal may stand for any source.
                None if literals > 0 && operand.input => literals -= 1,
                None => self.add(Difference { part, ..of(Aspect::OperandMissing, form.place) }),
            }
        }
        for theirs in &form.operands {
            let is_ours = expected.operands.iter().any(|one| one.fields.contains(&theirs.field.as_str()));
            let is_a_literal = expected.encoding == VOP3P_INST_LITERAL && is_literal(&theirs);
            if !is_ours && !is_a_literal {
                self.add(Difference { part: theirs.field.clone(), ..of(Aspect::OperandExtra, theirs.place) });
            }
        }
    }

    fn operand(&mut self, of: impl Fn(Aspect, Place) -> Difference, theirs: &Operand, ours: &ExpectedOperand) {
        let mut say = |aspect, file: String, table: String| {
            let part = ours.fields[0].to_owned();
            self.add(Difference { part, file, ours: table, ..of(aspect, theirs.place) });
        };
        if theirs.kind != ours.kind {
            say(Aspect::OperandKind, theirs.kind.clone(), ours.kind.to_owned());
        }
        if theirs.bits != ours.bits {
            say(Aspect::OperandSize, theirs.bits.to_string(), ours.bits.to_string());
        }
        if let Some(format) = ours.format.as_ref().filter(|format| !format.is(&theirs.format)) {
            let theirs = if theirs.format.is_empty() { "none" } else { &theirs.format };
            say(Aspect::DataFormat, theirs.to_owned(), format.name.clone());
        }
        if (theirs.input, theirs.output) != (ours.input, ours.output) {
            say(Aspect::Direction, direction(theirs.input, theirs.output), direction(ours.input, ours.output));
        }
    }

    fn encodings(&mut self) {
        for theirs in &self.document.encodings {
            match self.expected.encodings.iter().find(|ours| ours.name == theirs.name.value) {
                Some(ours) => self.encoding(theirs, ours),
                None => self.add(blank(Aspect::EncodingExtra, &theirs.name.value, theirs.place)),
            }
        }
        for ours in &self.expected.encodings {
            if !self.document.encodings.iter().any(|theirs| theirs.name.value == ours.name) {
                self.add(blank(Aspect::EncodingMissing, ours.name, self.document.encodings_at));
            }
        }
    }

    fn encoding(&mut self, theirs: &Encoding, ours: &'a ExpectedEncoding) {
        if theirs.bits.value != ours.bits {
            self.add(Difference {
                file: theirs.bits.value.to_string(),
                ours: ours.bits.to_string(),
                ..blank(Aspect::EncodingSize, ours.name, theirs.bits.place)
            });
        }
        self.fields(theirs, ours);
        self.identifiers(theirs, ours);
    }

    fn fields(&mut self, theirs: &Encoding, ours: &ExpectedEncoding) {
        let mut found: BTreeMap<&str, (Place, Ranges)> = BTreeMap::new();
        for field in &theirs.fields {
            match ours.fields.iter().find(|one| is_of(one, field)) {
                Some(one) => {
                    let entry = found.entry(one.names[0]).or_insert((field.place, Vec::new()));
                    entry.1.extend(&field.ranges);
                }
                None if is_reserved(&field.name) => {}
                None => self.add(Difference {
                    part: field.name.clone(),
                    file: bits_text(&field.ranges),
                    ..blank(Aspect::FieldExtra, ours.name, field.place)
                }),
            }
        }
        for one in &ours.fields {
            let part = one.names[0].to_owned();
            match found.get(one.names[0]) {
                None => self.add(Difference { part, ..blank(Aspect::FieldMissing, ours.name, theirs.place) }),
                Some((_, ranges)) if *ranges == one.ranges => {}
                Some((place, ranges)) => self.add(Difference {
                    part,
                    file: bits_text(ranges),
                    ours: bits_text(&one.ranges),
                    ..blank(Aspect::FieldBits, ours.name, *place)
                }),
            }
        }
    }

    fn identifiers(&mut self, theirs: &Encoding, ours: &'a ExpectedEncoding) {
        let (mask, value) = ours.prefix;
        let hex = |value: u32| format!("{value:08x}");
        if theirs.identifiers.is_empty() {
            self.add(Difference { ours: hex(value), ..blank(Aspect::Prefix, ours.name, theirs.place) });
            return;
        }
        for identifier in theirs.identifiers.iter().filter(|one| one.value & mask != value) {
            self.add(Difference {
                file: hex(identifier.value & mask),
                ours: hex(value),
                ..blank(Aspect::Prefix, ours.name, identifier.place)
            });
        }
        // What tells a pair apart has no opcode of its own.
        if mask & OPCODE == OPCODE {
            return;
        }
        let opcode = |identifier: u32| (identifier & OPCODE & !mask) >> 16;
        let named: BTreeSet<u32> = theirs.identifiers.iter().map(|one| opcode(one.value)).collect();
        let forms = || self.document.instructions.iter().flat_map(|one| &one.forms);
        let has = |number| {
            let ours = self.expected.instructions.iter().any(|one| one.number == number);
            ours || forms().any(|form| form.opcode.value == number)
        };
        let mut differences = Vec::new();
        for one in theirs.identifiers.iter().filter(|one| !has(opcode(one.value))) {
            let file = opcode(one.value).to_string();
            differences.push(Difference { file, ..blank(Aspect::Identifier, ours.name, one.place) });
        }
        let lacking = self.right.iter().filter(|(encoding, number)| *encoding == ours.name && !named.contains(number));
        for (_, number) in lacking {
            let ours_says = number.to_string();
            differences.push(Difference { ours: ours_says, ..blank(Aspect::Identifier, ours.name, theirs.place) });
        }
        differences.into_iter().for_each(|difference| self.add(difference));
    }

    /// The widths of the formats that our tables name, where one name has one width.
    fn formats(&mut self) {
        let mut widths: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        let forms = self.expected.instructions.iter().flat_map(|one| &one.forms);
        for operand in forms.flat_map(|form| &form.operands) {
            if let Some(format) = &operand.format {
                widths.entry(&format.name).or_default().insert(operand.bits);
            }
        }
        for theirs in &self.document.formats {
            let (name, bits) = &theirs.value;
            let ours = widths.get(name.as_str()).filter(|widths| widths.len() == 1).and_then(|widths| widths.first());
            if let Some(ours) = ours.filter(|ours| *ours != bits) {
                self.add(Difference {
                    file: bits.to_string(),
                    ours: ours.to_string(),
                    ..blank(Aspect::FormatSize, name, theirs.place)
                });
            }
        }
    }
}

/// Lowest bit and width of each part of a field.
type Ranges = Vec<(u32, u32)>;

/// Where the opcode of a word may be.
const OPCODE: u32 = 0x00ff_0000;

fn blank(aspect: Aspect, of: &str, place: Place) -> Difference {
    Difference {
        aspect,
        place,
        of: of.to_owned(),
        opcode: None,
        part: String::new(),
        encodings: Vec::new(),
        file: String::new(),
        ours: String::new(),
        known: None,
    }
}

fn direction(input: bool, output: bool) -> String {
    match (input, output) {
        (true, true) => "read and written",
        (true, false) => "read",
        (false, true) => "written",
        (false, false) => "neither read nor written",
    }
    .to_owned()
}

/// Whether a field of the file is this one; the bit of OP_SEL_HI that lies apart may have a name of its own.
fn is_of(ours: &ExpectedField, theirs: &EncodedField) -> bool {
    let name = theirs.name.as_str();
    let is_third_bit = |one: &str| ["_2", "2"].iter().any(|end| name.strip_suffix(end) == Some(one));
    ours.names.iter().any(|one| *one == name || (one.ends_with("SEL_HI") && is_third_bit(one)))
}

fn is_reserved(name: &str) -> bool {
    ["RESERVED", "UNUSED", "PAD"].iter().any(|beginning| name.starts_with(beginning))
}
