//! Conditions on the register tuples of a matrix word.

use serde::Deserialize;

use crate::codec::{Field, Window};
use crate::isa::{Matrix, Modifier, Modifiers, Opcode, Target};
use crate::plain::{opcode_number, with_plain};

/// What is wrong with a register tuple. How wide the tuples are is taken from the opcode table, which LLVM's text
/// checks word by word; the rest is raw bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TupleIs {
    /// One starts at an odd register.
    Odd,
    /// One runs past register 255.
    PastEnd,
    /// Source 2 overlaps the destination, which has more than four registers, without being the same.
    Overlap,
}

const SLOTS: [Field; 4] = [Field::Vdst, Field::Src0, Field::Src1, Field::Src2];

impl TupleIs {
    /// Whether the word has the fault.
    #[must_use]
    pub fn holds(self, target: Target, window: &Window) -> bool {
        if self == Self::Overlap {
            return overlaps(target, window);
        }
        self.at_fault(target, window).next().is_some()
    }

    /// The operands with a fault of their own.
    fn at_fault(self, target: Target, window: &Window) -> impl Iterator<Item = Field> {
        let widths = widths(target, window);
        let window = *window;
        SLOTS.into_iter().zip(widths).filter_map(move |(field, dwords)| {
            let first = register(&window, field)?;
            let is_wrong = match self {
                Self::Odd => dwords > 1 && first % 2 == 1,
                Self::PastEnd => first + dwords > 256,
                Self::Overlap => false,
            };
            is_wrong.then_some(field)
        })
    }

    /// The word without the fault.
    #[must_use]
    pub fn plain(self, target: Target, window: &Window) -> Window {
        if self == Self::Overlap {
            return Field::Src2.set(*window, 256 + Field::Vdst.get(window));
        }
        self.at_fault(target, window).fold(*window, |window, field| with_plain(target, &window, field))
    }
}

/// The number of the register that a field names, if it names a vector register.
fn register(window: &Window, field: Field) -> Option<u32> {
    let value = field.get(window);
    if field == Field::Vdst { Some(value) } else { value.checked_sub(256) }
}

fn widths(target: Target, window: &Window) -> [u32; 4] {
    let Some(opcode) = target.opcode(opcode_number(target, window)) else { return [0; 4] };
    let value = |field: Field| field.get(window) as u8;
    let modifiers = match opcode.matrix() {
        Some(Matrix::MfmaF8f6f4) => {
            Modifiers::NONE.with(Modifier::Cbsz, value(Field::Cbsz)).with(Modifier::Blgp, value(Field::Blgp))
        }
        Some(Matrix::Cdna5F8f6f4) => Modifiers::NONE
            .with(Modifier::MatrixAFmt, value(Field::OpSel))
            .with(Modifier::MatrixBFmt, value(Field::OpSelHi)),
        _ => Modifiers::NONE,
    };
    opcode.dwords(target, modifiers).map(u32::from)
}

fn overlaps(target: Target, window: &Window) -> bool {
    let [dwords, ..] = widths(target, window);
    let (Some(d), Some(c)) = (register(window, Field::Vdst), register(window, Field::Src2)) else { return false };
    let is_mfma =
        |opcode: &Opcode| matches!(opcode.matrix(), Some(Matrix::Mfma | Matrix::MfmaF64 | Matrix::MfmaF8f6f4));
    let is_meant = target.opcode(opcode_number(target, window)).is_some_and(is_mfma);
    is_meant && dwords > 4 && c != d && c.abs_diff(d) < dwords
}
