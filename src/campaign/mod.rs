//! Where cases come from, and what becomes of them.

mod bytes;
mod expand;
mod generate;
mod generate_matrix;
mod input;
mod minimise;
pub mod replay;
pub mod replay_values;
mod roundtrip;
mod run;
mod stats;
mod texts;
pub mod values;
pub mod witnesses;

pub use expand::Expander;
pub use generate::{Draw, Generator, mutate};
pub use input::{Input, Record, VERSION, seed_of};
pub use minimise::{Large, Try, minimise, shrink_all};
pub use roundtrip::{Broken, round_trips};
pub use run::{Campaign, Judgement};
pub use stats::{Stats, Summary};
pub use texts::{NewText, Printer, TextCampaign, TextJudgement, TextStats};
