//! What AMD defines: processors, generations, opcodes, operands, legality rules. Data, one line an opcode.

mod generation;
mod legality;
mod matrix;
mod opcode;
mod operand;
mod operation;
mod processor;
mod sets;
mod table;
mod target;

pub use generation::{DppRule, GENERATIONS, Generation, GenerationRow, ModeBits, Prefix};
pub use legality::{Notes, RULES, Rule, RuleRow, State};
pub use matrix::{
    File, Fixed, MODIFIERS, MatrixLayout, MatrixSource, Modifier, ModifierRow, Modifiers, Place, Spelling,
};
pub use opcode::{Form, Format, Matrix, Opcode};
pub(crate) use operand::selected_by;
pub use operand::{
    DPP8, DPP16, INLINE_FLOATS, InlineFloat, InlineFloatRow, LITERAL, SDWA, SPECIALS, Source, SourceKind, Special,
    SpecialRow, selector, source,
};
pub use operation::{Operation, Part};
pub use processor::{Basis, PROCESSOR_COUNT, PROCESSORS, Processor, ProcessorSet};
pub use sets::{compact_targets, target_names};
pub use table::{PAIRS, Pair, pair_of, rows};
pub(crate) use target::edits;
pub use target::{Target, TargetError};
