//! What goes to standard output.

use std::fmt::{self, Write as _};
use std::fs::Permissions;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde::Serialize;

use super::Failure;

/// The column of the values behind names.
pub const NAME_WIDTH: usize = 14;

/// Collects output, so that a reader who leaves early (`| head`) does not change what a command returns.
#[derive(Default)]
pub struct Out {
    text: String,
}

impl Out {
    /// Adds a line.
    pub fn line(&mut self, line: impl fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Adds whole lines.
    pub fn text(&mut self, lines: String) {
        if self.text.is_empty() {
            self.text = lines;
        } else {
            self.text += &lines;
        }
    }

    /// Adds a line with a name in front, the values aligned.
    pub fn named(&mut self, name: &str, value: impl fmt::Display) {
        self.aligned(NAME_WIDTH, name, value);
    }

    /// The same with the values at this column.
    pub fn aligned(&mut self, width: usize, name: &str, value: impl fmt::Display) {
        self.line(format_args!("{name:<width$}{value}"));
    }

    /// Adds a JSON value, indented.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::input(format!("cannot write JSON: {error}")))?;
        self.line(text);
        Ok(())
    }

    /// Adds rows as a table: columns as wide as they need, two spaces between them.
    pub fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in rows {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}", width = *width)).collect();
            self.line(cells.join("  ").trim_end());
        }
    }

    /// Writes what was collected.
    ///
    /// # Errors
    /// If standard output cannot be written. That nobody reads it any more is no error.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::input(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a value as a JSON file, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_json(value: &impl Serialize, place: &Path) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::input(format!("{}: {error}", place.display()));
    let dir = place.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any other file, where a temporary one is for its owner alone.
    let readable = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(readable).tempfile_in(dir).map_err(fail)?;
    serde_json::to_writer_pretty(&mut file, value).map_err(|error| fail(error.into()))?;
    writeln!(file).map_err(fail)?;
    file.persist(place).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Says on standard error how far the work is.
pub fn remark(message: &str) {
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr().lock(), "vop3p: {message}");
}

/// Says on standard error what went wrong.
pub fn complain(message: &str) {
    say("error", message);
}

/// Says on standard error what may be wrong.
pub fn warn(message: &str) {
    say("warning", message);
}

fn say(kind: &str, message: &str) {
    // What is quoted from arguments and tools must not steer the terminal.
    let message: String = message.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect();
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr().lock(), "{kind}: {message}");
}
