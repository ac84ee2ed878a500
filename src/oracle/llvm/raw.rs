//! A tool run once, as a person would, and what it printed, as it is.

use std::time::Duration;

use super::child::{self, End, Feed};
use super::{Death, Llvm, LlvmError, Tool};

/// Time one run gets.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What a tool printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// Its exit code, or how it died.
    pub end: Result<i32, Death>,
}

impl Llvm {
    /// Runs a tool with these arguments on this input.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn raw(&self, tool: Tool, args: &[String], input: &str) -> Result<Raw, LlvmError> {
        let run = child::run(self.program(tool), args, &Feed::new(input.as_bytes())?, TIME_LIMIT)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let end = match run.end {
            End::Code(code) => Ok(code),
            End::Died(death) => Err(death),
        };
        Ok(Raw { stdout: text(run.stdout), stderr: text(run.stderr), end })
    }
}
