//! Where cases come from, and what becomes of them.

mod generate;

pub use generate::{Draw, Generator, mutate};
