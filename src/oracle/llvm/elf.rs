//! The smallest ELF object that `llvm-objdump` disassembles.

/// `EF_AMDGPU_MACH_*` of LLVM's include/llvm/BinaryFormat/ELF.h, the processor field of `e_flags`.
const MACHINES: [(&str, u32); 41] = [
    ("gfx900", 0x2c),
    ("gfx902", 0x2d),
    ("gfx904", 0x2e),
    ("gfx906", 0x2f),
    ("gfx908", 0x30),
    ("gfx909", 0x31),
    ("gfx90c", 0x32),
    ("gfx90a", 0x3f),
    ("gfx940", 0x40),
    ("gfx941", 0x4b),
    ("gfx942", 0x4c),
    ("gfx950", 0x4f),
    ("gfx1010", 0x33),
    ("gfx1011", 0x34),
    ("gfx1012", 0x35),
    ("gfx1013", 0x42),
    ("gfx1030", 0x36),
    ("gfx1031", 0x37),
    ("gfx1032", 0x38),
    ("gfx1033", 0x39),
    ("gfx1034", 0x3e),
    ("gfx1035", 0x3d),
    ("gfx1036", 0x45),
    ("gfx1100", 0x41),
    ("gfx1101", 0x46),
    ("gfx1102", 0x47),
    ("gfx1103", 0x44),
    ("gfx1150", 0x43),
    ("gfx1151", 0x4a),
    ("gfx1152", 0x55),
    ("gfx1153", 0x58),
    ("gfx1200", 0x48),
    ("gfx1201", 0x4e),
    ("gfx1250", 0x49),
    ("gfx1251", 0x5a),
    ("gfx9-generic", 0x51),
    ("gfx9-4-generic", 0x5f),
    ("gfx10-1-generic", 0x52),
    ("gfx10-3-generic", 0x53),
    ("gfx11-generic", 0x54),
    ("gfx12-generic", 0x59),
];

/// The processor field of `e_flags`, or `None` for a processor that is not in the table.
pub(super) fn machine(cpu: &str) -> Option<u32> {
    MACHINES.iter().find(|(name, _)| *name == cpu).map(|&(_, machine)| machine)
}

/// Symbol types: code starts here, or data that is shown as bytes and not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Code = 0,
    Data = 1,
}

/// A relocatable object in the making.
#[derive(Debug, Default)]
pub(super) struct Object {
    text: Vec<u8>,
    symbols: Vec<(u64, Kind)>,
    apart: Vec<(u64, u32)>,
}

const HEADER_LEN: usize = 64;
const SECTION_HEADER_LEN: usize = 64;
const SYMBOL_LEN: usize = 24;
const STRINGS: &[u8] = b"\0.text\0.symtab\0.strtab\0w\0";
const TEXT_NAME: u32 = 1;
const SYMTAB_NAME: u32 = 7;
const STRTAB_NAME: u32 = 15;
const SYMBOL_NAME: u32 = 23;
/// SHF_ALLOC and SHF_EXECINSTR.
const ALLOCATED_CODE: u64 = 6;

impl Object {
    /// Appends code.
    pub fn code(&mut self, dwords: &[u32]) {
        for dword in dwords {
            self.text.extend_from_slice(&dword.to_le_bytes());
        }
    }

    /// Puts a symbol at an address of the code; addresses must not fall.
    pub fn symbol(&mut self, address: u64, kind: Kind) {
        self.symbols.push((address, kind));
    }

    /// Puts one dword of code into a section of its own at `address`, with nothing behind it.
    pub fn apart(&mut self, address: u64, dword: u32) {
        self.apart.push((address, dword));
    }

    /// The finished ELF64 file.
    pub fn write(&self, machine: u32, out: &mut Vec<u8>) {
        // Behind the header lie the code, the lone dwords, the symbols, the strings and the section headers.
        let apart_at = HEADER_LEN + self.text.len();
        let symbols_at = (apart_at + 4 * self.apart.len()).next_multiple_of(8);
        let strings_at = symbols_at + SYMBOL_LEN * (self.symbols.len() + 1);
        let sections_at = (strings_at + STRINGS.len()).next_multiple_of(8);
        let sections = self.apart.len() + 4;
        let start = out.len();
        out.reserve(sections_at + SECTION_HEADER_LEN * sections);

        // 64 bits, little-endian, version 1, no OS ABI.
        out.extend_from_slice(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
        half(out, 1); // ET_REL
        half(out, 0xe0); // EM_AMDGPU
        word(out, 1);
        long(out, 0);
        long(out, 0);
        long(out, sections_at as u64);
        word(out, machine);
        half(out, HEADER_LEN as u16);
        half(out, 0);
        half(out, 0);
        half(out, SECTION_HEADER_LEN as u16);
        half(out, sections as u16);
        half(out, sections as u16 - 1);

        out.extend_from_slice(&self.text);
        for (_, dword) in &self.apart {
            word(out, *dword);
        }
        out.resize(start + symbols_at + SYMBOL_LEN, 0);
        for (address, kind) in &self.symbols {
            word(out, SYMBOL_NAME);
            half(out, *kind as u16);
            half(out, 1); // in the first .text
            long(out, *address);
            long(out, 0);
        }
        out.extend_from_slice(STRINGS);
        out.resize(start + sections_at, 0);

        section(out, Section::default());
        let code = Section { name: TEXT_NAME, kind: 1, flags: ALLOCATED_CODE, align: 4, ..Section::default() };
        section(out, Section { at: HEADER_LEN, len: self.text.len(), ..code });
        for (index, (address, _)) in self.apart.iter().enumerate() {
            section(out, Section { address: *address, at: apart_at + 4 * index, len: 4, ..code });
        }
        let symbol_bytes = SYMBOL_LEN * (self.symbols.len() + 1);
        let all_local = self.symbols.len() as u32 + 1;
        section(
            out,
            Section {
                name: SYMTAB_NAME,
                kind: 2,
                at: symbols_at,
                len: symbol_bytes,
                link: sections as u32 - 1,
                info: all_local,
                align: 8,
                entry: SYMBOL_LEN,
                ..Section::default()
            },
        );
        section(
            out,
            Section { name: STRTAB_NAME, kind: 3, at: strings_at, len: STRINGS.len(), align: 1, ..Section::default() },
        );
    }
}

#[derive(Clone, Copy, Default)]
struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    at: usize,
    len: usize,
    link: u32,
    info: u32,
    align: u64,
    entry: usize,
}

fn section(out: &mut Vec<u8>, section: Section) {
    word(out, section.name);
    word(out, section.kind);
    long(out, section.flags);
    long(out, section.address);
    long(out, section.at as u64);
    long(out, section.len as u64);
    word(out, section.link);
    word(out, section.info);
    long(out, section.align);
    long(out, section.entry as u64);
}

fn half(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn word(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn long(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_has_a_machine_number_of_its_own() {
        let mut numbers: Vec<u32> = MACHINES.iter().map(|(_, machine)| *machine).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), MACHINES.len());
        assert_eq!(machine("gfx1100"), Some(0x41));
        assert_eq!(machine("gfx12-generic"), Some(0x59));
        assert_eq!(machine("gfx9999"), None);
    }

    #[test]
    fn the_strings_are_where_their_names_say() {
        let name = |at: u32| STRINGS[at as usize..].split(|byte| *byte == 0).next().unwrap();
        assert_eq!(name(TEXT_NAME), b".text");
        assert_eq!(name(SYMTAB_NAME), b".symtab");
        assert_eq!(name(STRTAB_NAME), b".strtab");
        assert_eq!(name(SYMBOL_NAME), b"w");
    }

    #[test]
    fn the_file_is_laid_out_as_its_headers_say() {
        let mut object = Object::default();
        object.symbol(0, Kind::Code);
        object.code(&[0xcc0e_4000, 0x1c0e_0501]);
        object.symbol(4, Kind::Data);
        object.apart(16, 0x1234_5678);
        let mut file = Vec::new();
        object.write(0x41, &mut file);
        let long_at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
        let sections_at = long_at(0x28);
        assert_eq!(file.len(), sections_at + 5 * 64);
        let section_bytes = |index: usize| {
            let header = sections_at + 64 * index;
            &file[long_at(header + 24)..][..long_at(header + 32)]
        };
        assert_eq!(section_bytes(1), [0x00, 0x40, 0x0e, 0xcc, 0x01, 0x05, 0x0e, 0x1c]);
        assert_eq!(section_bytes(2), [0x78, 0x56, 0x34, 0x12]);
        assert_eq!(section_bytes(3)[24..32], [23, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(section_bytes(3)[48..64], [23, 0, 0, 0, 1, 0, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(section_bytes(4), STRINGS);
    }
}
