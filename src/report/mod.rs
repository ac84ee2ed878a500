//! Answers as people and programs read them: names, the bit diagram of a window, and the JSON views.

pub mod diagram;
pub mod names;
