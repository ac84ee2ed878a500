//! The version matrix: the same sweep against several LLVMs, and which disagreement began and ended where.

use std::collections::BTreeMap;

use serde::Serialize;

use super::file::Sweep;
use crate::ledger::{Ledger, Status};

/// What sweeps against several LLVMs show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionMatrix {
    /// The versions, in the order of the sweeps.
    pub llvms: Vec<String>,
    /// A row a ledger entry that some sweep shows, by id; then a row a kind of difference that the ledger lacks.
    pub rows: Vec<Row>,
}

/// A disagreement, by version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Id of the entry; of what is new, its kind and field.
    pub id: String,
    /// Whether the ledger lacks it.
    pub new: bool,
    /// Findings on each version.
    pub counts: Vec<u64>,
    /// Where that is not what the ledger says of the version.
    pub unexpected: Vec<String>,
}

impl VersionMatrix {
    /// Of sweeps against several LLVMs.
    #[must_use]
    pub fn of(sweeps: &[Sweep], ledger: &Ledger) -> Self {
        let mut counts: BTreeMap<(bool, String), Vec<u64>> = BTreeMap::new();
        for (place, sweep) in sweeps.iter().enumerate() {
            for seen in &sweep.seen {
                let id = seen.entry.clone().unwrap_or_else(|| format!("{} {}", seen.kind, seen.field));
                let row = counts.entry((seen.entry.is_none(), id)).or_insert_with(|| vec![0; sweeps.len()]);
                if let Some(count) = row.get_mut(place) {
                    *count += seen.count;
                }
            }
        }
        let llvms: Vec<String> = sweeps.iter().map(|sweep| sweep.header.llvm.version.clone()).collect();
        let rows = counts.into_iter().map(|((new, id), counts)| {
            let unexpected = unexpected(ledger, &id, &llvms, &counts);
            Row { id, new, counts, unexpected }
        });
        Self { rows: rows.collect(), llvms }
    }

    /// Whether everything is known, and on the versions that the ledger says.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.rows.iter().all(|row| !row.new && row.unexpected.is_empty())
    }
}

/// Versions on which an entry is seen although the ledger calls it silent there.
fn unexpected(ledger: &Ledger, id: &str, llvms: &[String], counts: &[u64]) -> Vec<String> {
    let Some(entry) = ledger.get(id) else { return Vec::new() };
    let is_silent = |version: &str| entry.status(version, |_| true) == Status::Silent;
    let seen = llvms.iter().zip(counts).filter(|(version, count)| **count > 0 && is_silent(version));
    seen.map(|(version, _)| format!("silent on {version} to the ledger, and seen")).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sweep::record::Line;

    /// A sweep against a version, with so many findings each of an entry or, without one, of something new.
    fn sweep(version: &str, seen: &[(Option<&str>, u64)]) -> Sweep {
        let header = format!(
            r#"{{"header":{{"schema":1,"vop3p":"0","llvm":{{"version":"{version}","sha256":""}},"ledger":"","choice":{{
            "targets":[],"opcodes":[],"decode":true,"assemble":true,"each":false}},"unknown":[],
            "shard":{{"index":1,"of":1}},"units":0,"windows":0}}}}"#
        );
        let Ok(Line::Header(header)) = serde_json::from_str(&header) else { panic!("{header}") };
        let seen = seen.iter().map(|(entry, count)| {
            let entry = serde_json::to_string(entry).unwrap();
            let text = format!(
                r#"{{"seen":{{"unit":0,"target":"gfx900","opcode":"V_PK_ADD_F16","space":"src0","direction":"decode",
                "window":"d38f4000 1802047d","padded":true,"kind":"acceptance","field":"word","ours":"","theirs":"",
                "entry":{entry},"count":{count}}}}}"#
            );
            match serde_json::from_str(&text) {
                Ok(Line::Seen(seen)) => seen,
                other => panic!("{other:?}"),
            }
        });
        Sweep { header, seen: seen.collect(), units: Vec::new() }
    }

    fn ledger() -> Ledger {
        let text = "[[entry]]\nid = 'one'\ntitle = 't'\nverdict = 'unknown'\nreason = 'r'\ncitations = ['c']\n\
                    [[entry.sign]]\nkind = 'acceptance'\nours = 'undefined'\ntheirs = 'accepts'\nfires = ['22.1.8']\n\
                    silent = ['19.1.7']\nwitnesses = ['gfx900 d38f4000 1802047d']\n\
                    [[entry.sign.when]]\nsource = '125'\n";
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(Path::new(dir.path()).join("one.toml"), text).unwrap();
        let mut ledger = Ledger::default();
        ledger.add_dir(dir.path()).unwrap();
        ledger
    }

    #[test]
    fn a_row_says_where_a_disagreement_is_and_whether_it_should_be() {
        let sweeps = [
            sweep("16.0.6", &[]),
            sweep("19.1.7", &[(Some("one"), 2), (Some("one"), 3)]),
            sweep("22.1.8", &[(None, 7), (Some("one"), 1)]),
        ];
        let matrix = VersionMatrix::of(&sweeps, &ledger());
        assert_eq!(matrix.llvms, ["16.0.6", "19.1.7", "22.1.8"]);
        let rows: Vec<_> = matrix.rows.iter().map(|row| (row.id.as_str(), row.new, row.counts.clone())).collect();
        assert_eq!(rows, [("one", false, vec![0, 5, 1]), ("acceptance word", true, vec![0, 0, 7])]);
        assert_eq!(matrix.rows[0].unexpected, ["silent on 19.1.7 to the ledger, and seen"]);
        assert!(!matrix.is_clean());
        let matrix = VersionMatrix::of(&[sweep("22.1.8", &[(Some("one"), 1)])], &ledger());
        assert!(matrix.is_clean());
    }
}
