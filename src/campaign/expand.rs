//! From a seed to a batch of windows for one target.

use super::generate::{Draw, Generator};
use crate::codec::Window;
use crate::compare::as_read;
use crate::isa::Target;
use crate::judge::Judge;
use crate::ledger::Applicable;
use crate::plain::opcode_number;

/// How many windows known to kill a tool one batch may have: a death costs as much as some thousand windows.
const DEADLY_PER_BATCH: u32 = 1;

/// How many of them a campaign gives one opcode of one processor.
const DEADLY_PER_OPCODE: u8 = 4;

/// Draws batches, and rations the windows that are known to kill LLVM.
#[derive(Debug)]
pub struct Expander<'a> {
    judge: Judge<'a>,
    generators: Vec<Option<Generator>>,
    entries: Vec<Option<Applicable<'a>>>,
    deadly: Vec<[u8; 256]>,
}

impl<'a> Expander<'a> {
    /// An expander whose rations follow the ledger of this judge.
    #[must_use]
    pub fn new(judge: Judge<'a>) -> Self {
        let empty = |_| None;
        Self {
            judge,
            generators: (0..Target::DISTINCT).map(empty).collect(),
            entries: (0..Target::DISTINCT).map(|_| None).collect(),
            deadly: vec![[0; 256]; Target::DISTINCT],
        }
    }

    /// `count` windows of the target, drawn from the seed.
    pub fn batch(&mut self, target: Target, seed: u64, count: usize) -> Vec<Window> {
        let index = target.place();
        let generator = self.generators[index].get_or_insert_with(|| Generator::new(target));
        let entries = self.entries[index].get_or_insert_with(|| self.judge.ledger.on(target, &self.judge.version()));
        let mut draw = Draw::new(seed);
        let mut windows = Vec::with_capacity(count);
        let mut deadly = 0;
        while windows.len() < count {
            let window = generator.window(&mut draw);
            if entries.is_deadly(&as_read(&window, self.judge.padded)) {
                let given = &mut self.deadly[index][usize::from(opcode_number(target, &window))];
                if deadly == DEADLY_PER_BATCH || *given == DEADLY_PER_OPCODE {
                    continue;
                }
                *given += 1;
                deadly += 1;
            }
            windows.push(window);
        }
        windows
    }
}
