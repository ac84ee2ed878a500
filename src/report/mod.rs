//! Answers as people and programs read them: names, the fields of a window and their picture, findings, evaluations
//! with their steps, the numeric questions, and the JSON views.

pub mod cause;
pub mod coverage;
pub mod diagram;
pub mod evaluation;
pub mod fields;
pub mod filing;
pub mod finding;
#[cfg(feature = "cli")]
pub mod html;
mod matrix;
pub mod names;
pub mod readings;
pub mod steps;
pub mod text_finding;
pub mod value;
pub mod value_finding;
pub mod view;
