//! What an elementwise opcode computes; the formats are those of its row.

use super::processor::same;

/// The operation of an opcode whose results depend on one element of each source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a · b + c` in floats.
    Fma,
    /// `a + b` in floats.
    Add,
    /// `a · b` in floats.
    Mul,
    /// The smaller float, by the rules before RDNA4.
    Min,
    /// The larger float, by the rules before RDNA4.
    Max,
    /// The smaller float; a number goes before a NaN (minimumNumber of IEEE 754-2019).
    MinNum,
    /// The larger float; a number goes before a NaN.
    MaxNum,
    /// The smaller float; a NaN goes before a number (minimum of IEEE 754-2019).
    Minimum,
    /// The larger float; a NaN goes before a number.
    Maximum,
    /// [`Operation::MinNum`] of the first two and the third.
    Min3Num,
    /// [`Operation::MaxNum`] of the first two and the third.
    Max3Num,
    /// [`Operation::Minimum`] of the first two and the third.
    Minimum3,
    /// [`Operation::Maximum`] of the first two and the third.
    Maximum3,
    /// `a · b + c` of sources that are f32 or narrower, to this part of the destination.
    Mix(Part),
    /// `a · b + c` in integers.
    MadInteger,
    /// The low half of `a · b`.
    MulLow,
    /// `a + b` in integers.
    AddInteger,
    /// `a − b` in integers.
    SubInteger,
    /// `b` shifted left by `a`.
    ShiftLeft,
    /// `b` shifted right by `a`, with copies of the sign if the destination is signed.
    ShiftRight,
    /// The smaller integer.
    MinInteger,
    /// The larger integer.
    MaxInteger,
    /// The smaller of `a + b`, saturated, and `c`.
    AddMin,
    /// The larger of `a + b`, saturated, and `c`.
    AddMax,
    /// The smallest of three integers.
    Min3,
    /// The largest of three integers.
    Max3,
    /// A dword of source 0 and one of source 1.
    Move,
}

/// Which part of the destination a mix instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All 32 bits.
    Whole,
    /// Bits 15:0; the others stay.
    Low,
    /// Bits 31:16; the others stay.
    High,
}

use Operation as O;

/// By AMD's name. Source: the opcode tables and formulas of the manuals.
const NAMED: &[(&str, Operation)] = &[
    ("V_PK_FMA_F16", O::Fma),
    ("V_PK_FMA_BF16", O::Fma),
    ("V_PK_FMA_F32", O::Fma),
    ("V_PK_ADD_F16", O::Add),
    ("V_PK_ADD_BF16", O::Add),
    ("V_PK_ADD_F32", O::Add),
    ("V_PK_MUL_F16", O::Mul),
    ("V_PK_MUL_BF16", O::Mul),
    ("V_PK_MUL_F32", O::Mul),
    ("V_PK_MIN_F16", O::Min),
    ("V_PK_MAX_F16", O::Max),
    ("V_PK_MIN_NUM_F16", O::MinNum),
    ("V_PK_MIN_NUM_BF16", O::MinNum),
    ("V_PK_MAX_NUM_F16", O::MaxNum),
    ("V_PK_MAX_NUM_BF16", O::MaxNum),
    ("V_PK_MINIMUM_F16", O::Minimum),
    ("V_PK_MAXIMUM_F16", O::Maximum),
    ("V_PK_MIN3_NUM_F16", O::Min3Num),
    ("V_PK_MAX3_NUM_F16", O::Max3Num),
    ("V_PK_MINIMUM3_F16", O::Minimum3),
    ("V_PK_MAXIMUM3_F16", O::Maximum3),
    ("V_MAD_MIX_F32", O::Mix(Part::Whole)),
    ("V_FMA_MIX_F32", O::Mix(Part::Whole)),
    ("V_FMA_MIX_F32_BF16", O::Mix(Part::Whole)),
    ("V_MAD_MIXLO_F16", O::Mix(Part::Low)),
    ("V_FMA_MIXLO_F16", O::Mix(Part::Low)),
    ("V_FMA_MIXLO_BF16", O::Mix(Part::Low)),
    ("V_MAD_MIXHI_F16", O::Mix(Part::High)),
    ("V_FMA_MIXHI_F16", O::Mix(Part::High)),
    ("V_FMA_MIXHI_BF16", O::Mix(Part::High)),
    ("V_PK_MAD_I16", O::MadInteger),
    ("V_PK_MAD_U16", O::MadInteger),
    ("V_PK_MUL_LO_U16", O::MulLow),
    ("V_PK_ADD_I16", O::AddInteger),
    ("V_PK_ADD_U16", O::AddInteger),
    ("V_PK_SUB_I16", O::SubInteger),
    ("V_PK_SUB_U16", O::SubInteger),
    ("V_PK_LSHLREV_B16", O::ShiftLeft),
    ("V_PK_LSHRREV_B16", O::ShiftRight),
    ("V_PK_ASHRREV_I16", O::ShiftRight),
    ("V_PK_MIN_I16", O::MinInteger),
    ("V_PK_MIN_U16", O::MinInteger),
    ("V_PK_MAX_I16", O::MaxInteger),
    ("V_PK_MAX_U16", O::MaxInteger),
    ("V_PK_ADD_MIN_I16", O::AddMin),
    ("V_PK_ADD_MIN_U16", O::AddMin),
    ("V_PK_ADD_MAX_I16", O::AddMax),
    ("V_PK_ADD_MAX_U16", O::AddMax),
    ("V_PK_MIN3_I16", O::Min3),
    ("V_PK_MIN3_U16", O::Min3),
    ("V_PK_MAX3_I16", O::Max3),
    ("V_PK_MAX3_U16", O::Max3),
    ("V_PK_MOV_B32", O::Move),
];

impl Operation {
    /// The operation of an opcode, if it is elementwise.
    pub(super) const fn named(amd: &str) -> Option<Self> {
        let mut index = 0;
        while index < NAMED.len() {
            if same(NAMED[index].0, amd) {
                return Some(NAMED[index].1);
            }
            index += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::opcode::Form;
    use super::super::table::rows;
    use super::*;

    #[test]
    fn every_elementwise_row_has_an_operation_and_no_other() {
        for row in rows() {
            let is_elementwise = matches!(row.form, Form::Packed | Form::Mix | Form::Move);
            assert_eq!(row.operation.is_some(), is_elementwise, "{}", row.amd);
        }
    }

    #[test]
    fn every_name_is_a_row() {
        for (name, _) in NAMED {
            assert!(rows().any(|row| row.amd == *name), "{name}");
        }
    }
}
