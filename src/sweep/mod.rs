//! The systematic sweep: instead of luck, every combination of what a word has, in an order that is the same everywhere.
//!
//! A sweep is a list of *units*, each some thousand windows of one target, a pure function of its number. What a unit
//! shows is written as a few lines, units in order, so that a sweep that was killed goes on behind its last whole unit
//! and ends in the same bytes, and so that shards of it join.

pub mod certificate;
pub mod record;
