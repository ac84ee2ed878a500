//! From a mnemonic to the opcode of a target, LLVM's other spellings included, and what to say of one that is none.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::error::{Fault, Place, Result, Span};
use crate::isa::{self, GENERATIONS, Generation, Opcode, PAIRS, PROCESSORS, Pair, ProcessorSet, Target, edits};

/// What a mnemonic means on a set of processors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Opcode(&'static Opcode),
    /// A scaled pair; the opcode is that of the matrix word.
    Pair(&'static Pair),
}

#[derive(Debug)]
struct Entry {
    name: Cow<'static, str>,
    on: ProcessorSet,
    named: Named,
}

/// Other names that LLVM's assembler takes, found by trying every generation's names on every other.
const ALIASES: [(&str, &str, ProcessorSet); 7] = {
    const RDNA3_UP: ProcessorSet =
        ProcessorSet::generations(&[Generation::Rdna3, Generation::Rdna35, Generation::Rdna4, Generation::Cdna5]);
    const RDNA4_UP: ProcessorSet = ProcessorSet::generations(&[Generation::Rdna4, Generation::Cdna5]);
    const ALL: ProcessorSet = ProcessorSet::ALL;
    [
        // The same number; NEG gives signedness now, so the old name means unsigned unless neg_lo says otherwise.
        ("v_dot4_i32_i8", "v_dot4_i32_iu8", RDNA3_UP),
        ("v_dot8_i32_i4", "v_dot8_i32_iu4", RDNA3_UP),
        ("v_pk_min_f16", "v_pk_min_num_f16", RDNA4_UP),
        ("v_pk_max_f16", "v_pk_max_num_f16", RDNA4_UP),
        ("v_fma_mix_f32_f16", "v_fma_mix_f32", ProcessorSet::generations(&[Generation::Cdna5])),
        ("v_accvgpr_read", "v_accvgpr_read_b32", ALL),
        ("v_accvgpr_write", "v_accvgpr_write_b32", ALL),
    ]
};

/// Where the MFMA names have a `_` before the type and the number of blocks, LLVM takes the older names without.
const NEW_MFMA_NAMES: ProcessorSet = ProcessorSet::generations(&[Generation::Cdna3, Generation::Cdna4]);

/// The older spellings of `v_mfma_f32_32x32x4_2b_bf16` and the like: `v_mfma_f32_32x32x4bf16`, and with `_1k` behind it
/// what CDNA2 had already; of `v_smfmac_f32_16x16x64_bf8_fp8`, `v_smfmac_f32_16x16x64bf8fp8`.
fn older_mfma_names(opcode: &Opcode) -> [Option<String>; 2] {
    let is_smfmac = opcode.llvm.starts_with("v_smfmac_");
    let parts: Vec<&str> = opcode.llvm.split('_').collect();
    let &[v, operation, result, shape, ref types @ ..] = parts.as_slice() else { return [None, None] };
    let (blocks, types) = match types {
        [first, rest @ ..] if first.ends_with('b') => (true, rest),
        _ => (false, types),
    };
    // The FP8 and F8F6F4 forms of MFMA never had another name.
    if types.is_empty() || !is_smfmac && (types.len() > 1 || types == ["f8f6f4"]) || !shape.contains('x') {
        return [None, None];
    }
    let name = format!("{v}_{operation}_{result}_{shape}{}", types.concat());
    let was_on_cdna2 = types == ["bf16"] && !is_smfmac && (blocks || opcode.number < 98 && opcode.number > 92);
    [was_on_cdna2.then(|| format!("{name}_1k")), Some(name)]
}

struct Index {
    /// Sorted by name.
    entries: Vec<Entry>,
    /// By hash of the name: one more than the place of its first entry, or zero.
    buckets: Vec<u16>,
}

fn hash(name: &[u8]) -> usize {
    let mut state = name.len() as u64;
    for chunk in name.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        state = (state.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (state >> 48) as usize
}

impl Index {
    fn build() -> Self {
        let mut entries = Vec::new();
        let mut add = |name: Cow<'static, str>, on: ProcessorSet, named: Named| {
            if !on.is_empty() {
                entries.push(Entry { name, on, named });
            }
        };
        for row in isa::rows() {
            let named = Named::Opcode(row);
            let name = if row.llvm.is_empty() { row.amd.to_lowercase().into() } else { Cow::from(row.llvm) };
            add(name, row.on, named);
            for (alias, printed, on) in ALIASES {
                if row.llvm == printed {
                    add(alias.into(), row.on.and(on), named);
                }
            }
            if row.is_matrix() && !row.on.is_disjoint(NEW_MFMA_NAMES) {
                for name in older_mfma_names(row).into_iter().flatten() {
                    add(name.into(), row.on, named);
                }
            }
        }
        for pair in &PAIRS {
            let has = |target: &Target| {
                let scale = target.opcode(pair.scale).and_then(Opcode::matrix);
                scale.is_some_and(|matrix| matrix.is_scale()) && target.opcode(pair.body).is_some()
            };
            let on = Target::all().filter(has).fold(ProcessorSet::NONE, |set, target| set.with(target.index()));
            add(pair.llvm.into(), on, Named::Pair(pair));
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let mut buckets = vec![0; 2048];
        for (place, entry) in entries.iter().enumerate() {
            if place > 0 && entries[place - 1].name == entry.name {
                continue;
            }
            let mut at = hash(entry.name.as_bytes()) % buckets.len();
            while buckets[at] != 0 {
                at = (at + 1) % buckets.len();
            }
            buckets[at] = place as u16 + 1;
        }
        Self { entries, buckets }
    }

    fn get() -> &'static Self {
        static INDEX: OnceLock<Index> = OnceLock::new();
        INDEX.get_or_init(Self::build)
    }

    /// Every entry with this name.
    fn named(&self, name: &str) -> &[Entry] {
        let mut at = hash(name.as_bytes()) % self.buckets.len();
        while let Some(place) = usize::from(self.buckets[at]).checked_sub(1) {
            let rest = self.entries.get(place..).unwrap_or_default();
            if rest.first().is_some_and(|entry| entry.name == name) {
                let count = rest.iter().take_while(|entry| entry.name == name).count();
                return &rest[..count];
            }
            at = (at + 1) % self.buckets.len();
        }
        &[]
    }
}

/// A mnemonic with its suffix taken off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mnemonic {
    pub named: Named,
    /// The name without suffix, as the table has it.
    pub name: &'static str,
    /// `_e64_dpp`.
    pub has_dpp: bool,
    /// `_e64` alone, which says that there is no DPP.
    pub has_e64: bool,
}

/// The opcode that a name without suffix is on a target.
fn find(target: Target, name: &str) -> Option<(Named, &'static str)> {
    let entries = Index::get().named(name);
    let entry = entries.iter().find(|entry| entry.on.contains(target.index()))?;
    Some((entry.named, &entry.name))
}

/// Reads a mnemonic, which LLVM takes in upper case, too.
pub(super) fn mnemonic(target: Target, word: &str, span: Span, printed: bool) -> Result<Mnemonic> {
    let lower;
    let word = if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        lower = word.to_ascii_lowercase();
        lower.as_str()
    } else {
        word
    };
    let without_dpp = word.strip_suffix("_dpp");
    let dpp_free = without_dpp.unwrap_or(word);
    let without_e64 = dpp_free.strip_suffix("_e64");
    let name = without_e64.unwrap_or(dpp_free);
    let has_dpp = without_dpp.is_some() && (without_e64.is_some() || printed);
    let found = find(target, name).filter(|_| has_dpp == without_dpp.is_some());
    if let Some((named, name)) = found {
        return Ok(Mnemonic { named, name, has_dpp, has_e64: without_e64.is_some() && !has_dpp });
    }
    Err(unknown(target, word, span))
}

/// What to say of a mnemonic that the target does not have.
fn unknown(target: Target, word: &str, span: Span) -> Box<Fault> {
    let cpu = target.cpu();
    let fail = |message: String| Fault::new(Place::Mnemonic, span, message);
    for (suffix, what) in
        [("_dpp", "DPP is written `_e64_dpp`"), ("_e32", "VOP3P has no 32-bit form"), ("_sdwa", "VOP3P has no SDWA")]
    {
        let bare = word.strip_suffix(suffix).filter(|bare| find(target, bare).is_some());
        if let Some(bare) = bare {
            let instead = if suffix == "_dpp" { format!("{bare}_e64_dpp") } else { bare.to_owned() };
            return fail(format!("`{word}` is no form of {bare}: {what}")).suggest(Some(instead));
        }
    }
    let name = word.strip_suffix("_dpp").unwrap_or(word);
    let name = name.strip_suffix("_e64").unwrap_or(name);
    // AMD kept the name of V_MAD_MIX where LLVM has v_fma_mix.
    let kept = target.opcodes().find(|row| row.amd.eq_ignore_ascii_case(name) && !row.llvm.is_empty());
    if let Some(row) = kept {
        let (number, llvm) = (row.number, row.llvm);
        return fail(format!(
            "{name} is not on {cpu}: opcode {number} is {llvm} there; AMD's manual keeps the old name"
        ))
        .suggest(Some(llvm));
    }
    let set = Index::get().named(name).iter().fold(ProcessorSet::NONE, |set, entry| set.or(entry.on));
    if !set.is_empty() {
        return fail(format!("{name} is not on {cpu}; it is on {}", list_of(set)));
    }
    let here = Index::get().entries.iter().filter(|entry| entry.on.contains(target.index()));
    let near = nearest(name, here.map(|entry| entry.name.as_ref()));
    fail(format!("`{word}` is no VOP3P instruction")).suggest(near)
}

/// The known word that takes the fewest edits to reach, if those are few for its length.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    // Nobody writes a name as long as that, and the search is quadratic.
    if word.len() > 64 {
        return None;
    }
    let (distance, name) = known.map(|known| (edits(word, known), known)).min_by_key(|(distance, _)| *distance)?;
    (distance <= (1 + name.len() / 5).min(3)).then(|| name.to_owned())
}

/// The processors of a set: generations where all of one are in it.
fn list_of(set: ProcessorSet) -> String {
    let mut names = Vec::new();
    for generation in &GENERATIONS {
        let members = || (0..PROCESSORS.len()).filter(|index| PROCESSORS[*index].generation == generation.generation);
        let is_whole = members().all(|index| set.contains(index));
        if is_whole {
            names.push(generation.name);
        } else {
            names.extend(members().filter(|index| set.contains(*index)).map(|index| PROCESSORS[index].name));
        }
    }
    names.join(", ")
}
