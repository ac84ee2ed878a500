//! A file of AMD's machine-readable ISA, schema 1.1 or 1.2: what it says of VOP3P.
//!
//! Source of the schema: GPUOpen-Tools/isa_spec_manager, `documentation/spec_documentation.md`. Other encodings,
//! descriptions and conditions are passed over.

use super::xml::{Element, Lines, Place, SpecError, Walk};

/// What the names of VOP3P's encodings have in common.
const VOP3P: &str = "VOP3P";

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where its element begins.
    pub place: Place,
}

/// What a file says of VOP3P.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// `1.1.0`, `1.2.0`, …
    pub schema: String,
    /// The day it was released, as the file writes it; empty if it does not say.
    pub released: String,
    /// `AMD RDNA 3`, …
    pub architecture: At<String>,
    /// Where the list of encodings begins.
    pub encodings_at: Place,
    /// Where the list of instructions begins.
    pub instructions_at: Place,
    /// The encodings with VOP3P in their name.
    pub encodings: Vec<Encoding>,
    /// The instructions that have one of those.
    pub instructions: Vec<Instruction>,
    /// Every data format: its name and its bits.
    pub formats: Vec<At<(String, u32)>>,
}

/// An encoding: the bits of a word and of what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// `ENC_VOP3P`, `VOP3P_INST_LITERAL`, …
    pub name: At<String>,
    /// Bits of the whole.
    pub bits: At<u32>,
    /// The values that tell the encoding and its opcodes apart, as the bits of the first dword.
    pub identifiers: Vec<At<u32>>,
    /// Its fields.
    pub fields: Vec<EncodedField>,
    /// Where it begins.
    pub place: Place,
}

/// A field of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedField {
    /// `VDST`, `OPSEL_HI`, …
    pub name: String,
    /// Lowest bit and width of each part, the low part of the value first.
    pub ranges: Vec<(u32, u32)>,
    /// Where it begins.
    pub place: Place,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// AMD's name.
    pub name: At<String>,
    /// Other names of the same.
    pub aliases: Vec<String>,
    /// Its forms in encodings of VOP3P.
    pub forms: Vec<Form>,
    /// Where it begins.
    pub place: Place,
}

/// An instruction in one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name of the encoding.
    pub encoding: At<String>,
    /// The number of the opcode.
    pub opcode: At<u32>,
    /// What its fields hold; what is implied or stands in the text alone is left out.
    pub operands: Vec<Operand>,
    /// Where it begins.
    pub place: Place,
}

/// An operand of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The field that holds it.
    pub field: String,
    /// `FMT_…`; empty if the file does not say.
    pub format: String,
    /// `OPR_…`.
    pub kind: String,
    /// Bits.
    pub bits: u32,
    /// Whether it is read.
    pub input: bool,
    /// Whether it is written.
    pub output: bool,
    /// Where it begins.
    pub place: Place,
}

/// Reads a file.
///
/// # Errors
/// If it is not well-formed, not in this schema, or of a version that this does not know.
pub fn read(bytes: &[u8]) -> Result<Document, SpecError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good =
                bytes.get(..error.valid_up_to()).and_then(|good| std::str::from_utf8(good).ok()).unwrap_or_default();
            let lines = Lines::new(good);
            return Err(lines.error(good.len(), "a byte that is no UTF-8: this is no XML, or in another encoding"));
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::new(text);
    Reader { lines: &lines }.document()
}

struct Reader<'a> {
    lines: &'a Lines<'a>,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    document: Option<(String, String)>,
    architecture: Option<At<String>>,
    encodings_at: Option<Place>,
    instructions_at: Option<Place>,
    encodings: Vec<Encoding>,
    instructions: Vec<Instruction>,
    formats: Vec<At<(String, u32)>>,
}

impl Reader<'_> {
    fn document(&self) -> Result<Document, SpecError> {
        let mut walk = Walk::new(self.lines);
        let mut found = Found::default();
        while let Some(opened) = walk.open()? {
            let path: Vec<&str> = walk.path().collect();
            match path[..] {
                ["Spec"] => {}
                [root] => {
                    let message =
                        format!("the root element is <{root}> and not <Spec>: no machine-readable ISA of AMD's");
                    return Err(self.error(&opened, message));
                }
                ["Spec", "Document"] => {
                    let document = walk.whole(opened)?;
                    found.document = Some((self.schema(&document)?, text_of(&document, "ReleaseDate")));
                }
                ["Spec", "ISA", "Architecture"] => {
                    let architecture = walk.whole(opened)?;
                    if found.architecture.is_some() {
                        return Err(self.error(&architecture, "a second <Architecture>: this reads files of one"));
                    }
                    found.architecture = Some(self.text(&architecture, "ArchitectureName")?);
                }
                ["Spec", "ISA", "Encodings"] => found.encodings_at = Some(self.place(&opened)),
                ["Spec", "ISA", "Instructions"] => found.instructions_at = Some(self.place(&opened)),
                ["Spec", "ISA", "Encodings", "Encoding"] => {
                    let element = walk.whole(opened)?;
                    found.encodings.extend(self.encoding(&element)?);
                }
                ["Spec", "ISA", "Instructions", "Instruction"] => {
                    let element = walk.whole(opened)?;
                    found.instructions.extend(self.instruction(&element)?);
                }
                ["Spec", "ISA", "DataFormats", "DataFormat"] => {
                    let element = walk.whole(opened)?;
                    found.formats.extend(self.format(&element)?);
                }
                _ => {}
            }
        }
        let lacks = |what: &str| self.lines.error(0, format!("there is no <{what}>: no machine-readable ISA of AMD's"));
        let (schema, released) = found.document.ok_or_else(|| lacks("Document"))?;
        Ok(Document {
            schema,
            released,
            architecture: found.architecture.ok_or_else(|| lacks("Architecture"))?,
            encodings_at: found.encodings_at.ok_or_else(|| lacks("Encodings"))?,
            instructions_at: found.instructions_at.ok_or_else(|| lacks("Instructions"))?,
            encodings: found.encodings,
            instructions: found.instructions,
            formats: found.formats,
        })
    }

    fn place(&self, element: &Element) -> Place {
        self.lines.place(element.at)
    }

    fn error(&self, element: &Element, message: impl Into<String>) -> SpecError {
        self.lines.error(element.at, message)
    }

    fn child<'e>(&self, element: &'e Element, name: &str) -> Result<&'e Element, SpecError> {
        element.find(name).ok_or_else(|| self.error(element, format!("<{}> has no <{name}>", element.name)))
    }

    fn text(&self, element: &Element, name: &str) -> Result<At<String>, SpecError> {
        let child = self.child(element, name)?;
        if child.text.is_empty() {
            return Err(self.error(child, format!("<{name}> is empty")));
        }
        Ok(At { value: child.text.clone(), place: self.place(child) })
    }

    fn number(&self, element: &Element, name: &str) -> Result<At<u32>, SpecError> {
        let child = self.child(element, name)?;
        let value = self.value(child)?;
        let value = u32::try_from(value).map_err(|_| self.error(child, format!("<{name}> {value} is out of range")))?;
        Ok(At { value, place: self.place(child) })
    }

    /// The number that an element is, in the base that its attribute `Radix` names.
    fn value(&self, element: &Element) -> Result<u128, SpecError> {
        let radix = match element.attribute("Radix") {
            None => 10,
            Some(text) => match text.parse() {
                Ok(radix @ 2..=16) => radix,
                _ => return Err(self.error(element, format!("Radix=\"{text}\" is no base of numbers from 2 to 16"))),
            },
        };
        // A sign is no digit.
        let digits = Some(element.text.as_str()).filter(|text| !text.starts_with('+'));
        digits.and_then(|digits| u128::from_str_radix(digits, radix).ok()).ok_or_else(|| {
            let base = if radix == 10 { String::new() } else { format!(" to base {radix}") };
            let shown: String = element.text.chars().take(40).collect();
            self.error(element, format!("<{}> `{shown}` is no number{base}", element.name))
        })
    }

    fn flag(&self, element: &Element, name: &str) -> Result<bool, SpecError> {
        match element.attribute(name).map(str::to_ascii_lowercase).as_deref() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            None => Err(self.error(element, format!("<{}> has no {name}=\"…\"", element.name))),
            Some(other) => Err(self.error(element, format!("{name}=\"{other}\" is neither true nor false"))),
        }
    }

    fn schema(&self, document: &Element) -> Result<String, SpecError> {
        let schema = self.text(document, "SchemaVersion")?;
        let known = ["1.1", "1.2"];
        let is_known = known
            .iter()
            .any(|known| schema.value.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')));
        if !is_known {
            let message = format!("schema version {}: this reads {}", schema.value, known.join(" and "));
            return Err(SpecError { place: schema.place, message });
        }
        Ok(schema.value)
    }

    /// The encoding, if it is one of VOP3P.
    fn encoding(&self, element: &Element) -> Result<Option<Encoding>, SpecError> {
        let name = self.text(element, "EncodingName")?;
        if !name.value.contains(VOP3P) {
            return Ok(None);
        }
        let identifiers = element.find("EncodingIdentifiers").map_or(&[][..], |list| &list.children[..]);
        let identifiers = identifiers.iter().map(|one| {
            // The first dword is what tells encodings apart.
            self.value(one).map(|value| At { value: value as u32, place: self.place(one) })
        });
        let bitmap = self.child(self.child(element, "MicrocodeFormat")?, "BitMap")?;
        Ok(Some(Encoding {
            bits: self.number(element, "BitCount")?,
            identifiers: identifiers.collect::<Result<_, _>>()?,
            fields: bitmap.all("Field").map(|field| self.field(field)).collect::<Result<_, _>>()?,
            place: self.place(element),
            name,
        }))
    }

    fn field(&self, element: &Element) -> Result<EncodedField, SpecError> {
        let mut ranges = Vec::new();
        for (at, range) in self.child(element, "BitLayout")?.all("Range").enumerate() {
            let order = range.attribute("Order").and_then(|order| order.parse().ok()).unwrap_or(at);
            ranges.push((order, (self.number(range, "BitOffset")?.value, self.number(range, "BitCount")?.value)));
        }
        if ranges.is_empty() {
            return Err(self.error(element, "<BitLayout> has no <Range>"));
        }
        ranges.sort_by_key(|(order, _)| *order);
        Ok(EncodedField {
            name: self.text(element, "FieldName")?.value,
            ranges: ranges.into_iter().map(|(_, range)| range).collect(),
            place: self.place(element),
        })
    }

    /// The instruction, if it has a form in an encoding of VOP3P.
    fn instruction(&self, element: &Element) -> Result<Option<Instruction>, SpecError> {
        let name = self.text(element, "InstructionName")?;
        let mut forms = Vec::new();
        for form in self.child(element, "InstructionEncodings")?.all("InstructionEncoding") {
            let encoding = self.text(form, "EncodingName")?;
            if encoding.value.contains(VOP3P) {
                forms.push(self.form(form, encoding)?);
            }
        }
        if forms.is_empty() {
            return Ok(None);
        }
        let aliases = element.find("AliasedInstructionNames").map_or(&[][..], |list| &list.children[..]);
        let aliases = aliases.iter().map(|alias| alias.text.clone()).collect();
        Ok(Some(Instruction { name, aliases, forms, place: self.place(element) }))
    }

    fn form(&self, element: &Element, encoding: At<String>) -> Result<Form, SpecError> {
        let mut operands = Vec::new();
        for operand in self.child(element, "Operands")?.all("Operand") {
            let says = |name, wanted| Ok(operand.attribute(name).is_some() && self.flag(operand, name)? == wanted);
            let is_implied = says("IsImplicit", true)?;
            let is_in_text_only = operand.find("FieldName").is_none() && says("IsBinaryMicrocodeRequired", false)?;
            if !is_implied && !is_in_text_only {
                operands.push(self.operand(operand)?);
            }
        }
        Ok(Form { encoding, opcode: self.number(element, "Opcode")?, operands, place: self.place(element) })
    }

    fn operand(&self, element: &Element) -> Result<Operand, SpecError> {
        Ok(Operand {
            field: self.text(element, "FieldName")?.value,
            format: text_of(element, "DataFormatName"),
            kind: self.text(element, "OperandType")?.value,
            bits: self.number(element, "OperandSize")?.value,
            input: self.flag(element, "Input")?,
            output: self.flag(element, "Output")?,
            place: self.place(element),
        })
    }

    /// The format, if the file says how wide it is.
    fn format(&self, element: &Element) -> Result<Option<At<(String, u32)>>, SpecError> {
        let name = self.text(element, "DataFormatName")?;
        if element.find("BitCount").is_none() {
            return Ok(None);
        }
        let bits = self.number(element, "BitCount")?;
        Ok(Some(At { value: (name.value, bits.value), place: bits.place }))
    }
}

fn text_of(element: &Element, name: &str) -> String {
    element.find(name).map(|child| child.text.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<Document><ReleaseDate>2000-01-01</ReleaseDate><SchemaVersion>1.1.0</SchemaVersion></Document>";
    const TAIL: &str = "<Encodings/><Instructions/>";

    fn file(isa: &str) -> String {
        format!(
            "<Spec>{HEAD}<ISA><Architecture><ArchitectureName>AMD RDNA 3</ArchitectureName></Architecture>{isa}</ISA></Spec>"
        )
    }

    fn fails(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn the_head_of_a_file() {
        let document = read(format!("\u{feff}{}", file(TAIL)).as_bytes()).unwrap();
        let head = (document.schema.as_str(), document.released.as_str(), document.architecture.value.as_str());
        assert_eq!(head, ("1.1.0", "2000-01-01", "AMD RDNA 3"));
    }

    #[test]
    fn a_file_that_is_something_else_is_refused() {
        let no_isa = "no machine-readable ISA of AMD's";
        assert_eq!(fails("<html></html>"), format!("1:1: the root element is <html> and not <Spec>: {no_isa}"));
        assert_eq!(fails("<Spec/>"), format!("1:1: there is no <Document>: {no_isa}"));
        assert_eq!(fails(&file("")), format!("1:1: there is no <Encodings>: {no_isa}"));
        assert_eq!(fails(&file("<Encodings/>")), format!("1:1: there is no <Instructions>: {no_isa}"));
        assert_eq!(fails("<Spec><Document/></Spec>"), "1:7: <Document> has no <SchemaVersion>");
        for version in ["1.0.0", "1.3", "2.1.1", "1.10.0", "x"] {
            let text = file(TAIL).replace("1.1.0", version);
            assert_eq!(fails(&text), format!("1:54: schema version {version}: this reads 1.1 and 1.2"));
        }
        let two = file("<Architecture><ArchitectureName>AMD RDNA 4</ArchitectureName></Architecture>");
        assert!(fails(&two).ends_with("a second <Architecture>: this reads files of one"));
        assert_eq!(
            read(b"<Spec>\n\xff").unwrap_err().to_string(),
            "2:1: a byte that is no UTF-8: this is no XML, or in another encoding"
        );
    }

    #[test]
    fn what_is_wrong_with_an_element_is_said_with_its_place() {
        let encoding = |inner: &str| {
            file(&format!(
                "\n<Encodings><Encoding><EncodingName>ENC_VOP3P</EncodingName>\n{inner}</Encoding></Encodings>"
            ))
        };
        let map = "<MicrocodeFormat><BitMap/></MicrocodeFormat>";
        assert_eq!(fails(&encoding("")), "2:12: <Encoding> has no <MicrocodeFormat>");
        assert_eq!(fails(&encoding(map)), "2:12: <Encoding> has no <BitCount>");
        assert_eq!(fails(&encoding(&format!("{map}<BitCount>six</BitCount>"))), "3:45: <BitCount> `six` is no number");
        assert_eq!(fails(&encoding(&format!("{map}<BitCount>-1</BitCount>"))), "3:45: <BitCount> `-1` is no number");
        assert_eq!(
            fails(&encoding(&format!("{map}<BitCount>99999999999</BitCount>"))),
            "3:45: <BitCount> 99999999999 is out of range"
        );
        let identifier = |text: &str, radix: &str| {
            let one = format!(
                "<EncodingIdentifiers><EncodingIdentifier Radix='{radix}'>{text}</EncodingIdentifier></EncodingIdentifiers>"
            );
            fails(&encoding(&format!("{map}<BitCount>64</BitCount>{one}")))
        };
        assert_eq!(identifier("102", "2"), "3:89: <EncodingIdentifier> `102` is no number to base 2");
        assert_eq!(identifier("1", "64"), "3:89: Radix=\"64\" is no base of numbers from 2 to 16");
        // Encodings and instructions that are none of VOP3P's may be as they will.
        let other = "<Encodings><Encoding><EncodingName>ENC_VOP1</EncodingName></Encoding></Encodings><Instructions/>";
        assert_eq!(read(file(other).as_bytes()).unwrap().encodings, []);
    }

    #[test]
    fn ranges_go_by_their_order() {
        let field = "<Field><FieldName>F</FieldName><BitLayout RangeCount='2'>\
                     <Range Order='1'><BitCount>1</BitCount><BitOffset>14</BitOffset></Range>\
                     <Range Order='0'><BitCount>2</BitCount><BitOffset>59</BitOffset></Range></BitLayout></Field>";
        let map = format!("<MicrocodeFormat><BitMap>{field}</BitMap></MicrocodeFormat><BitCount>64</BitCount>");
        let text = file(&format!(
            "<Encodings><Encoding><EncodingName>ENC_VOP3P</EncodingName>{map}</Encoding></Encodings><Instructions/>"
        ));
        assert_eq!(read(text.as_bytes()).unwrap().encodings[0].fields[0].ranges, [(59, 2), (14, 1)]);
    }
}
