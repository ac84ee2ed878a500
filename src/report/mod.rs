//! Answers as people and programs read them: names, the fields of a window and their picture, findings, and the JSON views.

pub mod diagram;
pub mod fields;
pub mod finding;
mod matrix;
pub mod names;
pub mod text_finding;
pub mod view;
