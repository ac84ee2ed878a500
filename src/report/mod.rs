//! Answers as people and programs read them: names, the bit diagram of a window, findings, and the JSON views.

pub mod diagram;
pub mod finding;
mod matrix;
pub mod names;
pub mod text_finding;
pub mod view;
