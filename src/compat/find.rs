//! Rows by name.

use std::fmt;

use super::table::{Row, Table};
use crate::isa::edits;

/// Why a text names no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    text: String,
    /// The names that are nearest to it.
    near: Vec<String>,
}

/// The most edits that a name may be away and still be meant.
const FARTHEST: usize = 4;

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no VOP3P instruction of AMD's or LLVM's", self.text)?;
        match &self.near[..] {
            [] => f.write_str(" (`vop3p compat` lists them)"),
            near => write!(f, "; did you mean {}?", near.join(" or ")),
        }
    }
}

impl std::error::Error for NameError {}

impl Table {
    /// The places of the rows with a name of AMD's or LLVM's, in upper or lower case, with `v_` in front or not; one that
    /// ends in `*` is the beginning of some.
    ///
    /// # Errors
    /// If there is none; says what may have been meant.
    pub fn find(&self, text: &str) -> Result<Vec<usize>, NameError> {
        let wanted = plain(text);
        let is_named = |row: &Row| {
            let mut names = names(row);
            match wanted.strip_suffix('*') {
                Some(beginning) => names.any(|name| name.starts_with(beginning)),
                None => names.any(|name| name == wanted),
            }
        };
        let found: Vec<usize> = (0..self.rows.len()).filter(|place| is_named(&self.rows[*place])).collect();
        if found.is_empty() {
            return Err(NameError { text: text.to_owned(), near: self.near(&wanted) });
        }
        Ok(found)
    }

    fn near(&self, wanted: &str) -> Vec<String> {
        let mut near: Vec<(usize, String)> =
            self.rows.iter().flat_map(names).map(|name| (edits(wanted, &name), name)).collect();
        near.sort();
        near.dedup();
        let least = near.first().map_or(0, |(distance, _)| *distance);
        let meant = near.into_iter().filter(|(distance, _)| *distance == least && *distance <= FARTHEST);
        meant.map(|(_, name)| name).take(3).collect()
    }
}

/// A name in lower case, with `v_` in front and without the suffixes of LLVM's.
fn plain(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    let bare = ["_e64_dpp", "_dpp", "_e64"].iter().find_map(|suffix| lower.strip_suffix(suffix)).unwrap_or(&lower);
    if bare.starts_with("v_") || bare.starts_with('*') { bare.to_owned() } else { format!("v_{bare}") }
}

fn names(row: &Row) -> impl Iterator<Item = String> + use<> {
    [row.amd.to_lowercase(), row.llvm.clone()].into_iter().filter(|name| !name.is_empty())
}
