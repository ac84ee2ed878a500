//! The systematic sweep: instead of luck, every combination of what a word has, in an order that is the same everywhere.
//!
//! A sweep is a list of *units*, each some thousand windows of one target, a pure function of its number. What a unit
//! shows is written as a few lines, units in order, so that a sweep that was killed goes on behind its last whole unit
//! and ends in the same bytes, and so that shards of it join.
//!
//! In reading order: `space` is a family of windows, `spaces` says which families a target has, [`plan`] cuts them into
//! units; [`mod@unit`] judges one ([`against`] two LLVMs about it), [`run`] all that are missing; [`record`] has the lines
//! they become, [`mod@file`] reads and writes them, [`certificate`] adds them up, [`merge`] joins shards, [`matrix`] sets
//! the sweeps of several LLVMs side by side.

pub mod against;
pub mod certificate;
pub mod file;
pub mod matrix;
pub mod merge;
pub mod plan;
pub mod record;
pub mod run;
mod space;
mod spaces;
pub mod unit;
