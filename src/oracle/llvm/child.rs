//! One run of one tool, with files for stdin, stdout and stderr.
//!
//! Files and not pipes: LLVM writes in small pieces, which costs a pipe's reader a quarter of the whole run; and a
//! pipe whose other end died kills a libFuzzer process by SIGPIPE. The files have no names, so nothing stays behind, and
//! lie in memory where that can be had, as small pieces are dear on a disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use super::{Death, LlvmError};

/// How a process ended and what it printed.
#[derive(Debug)]
pub(super) struct Run {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal, or killed at the time limit.
    Died(Death),
}

impl End {
    /// Whether it came to its end by itself.
    pub const fn is_code(self) -> bool {
        matches!(self, Self::Code(_))
    }
}

/// What is fed to a process, as a file.
#[derive(Debug)]
pub(super) struct Feed(File);

impl Feed {
    pub fn new(bytes: &[u8]) -> Result<Self, LlvmError> {
        let mut file = temporary()?;
        file.write_all(bytes).map_err(LlvmError::io("write a tool's input to a temporary file"))?;
        Ok(Self(file))
    }
}

fn temporary() -> Result<File, LlvmError> {
    #[cfg(target_os = "linux")]
    if let Ok(file) = rustix::fs::memfd_create("vop3p", rustix::fs::MemfdFlags::CLOEXEC) {
        return Ok(file.into());
    }
    tempfile::tempfile().map_err(LlvmError::io(format!("make a temporary file in {}", std::env::temp_dir().display())))
}

/// Runs `program` on `feed` to its end, or to the time limit, and reads what it printed.
pub(super) fn run(program: &Path, args: &[String], feed: &Feed, limit: Duration) -> Result<Run, LlvmError> {
    let (end, [stdout, stderr]) = run_unread(program, args, feed, limit)?;
    let read = |file| contents(file).map_err(LlvmError::io(format!("read what {} printed", program.display())));
    Ok(Run { end, stdout: read(stdout)?, stderr: read(stderr)? })
}

/// The same without reading: how it ended, and its stdout and stderr.
pub(super) fn run_unread(
    program: &Path,
    args: &[String],
    feed: &Feed,
    limit: Duration,
) -> Result<(End, [File; 2]), LlvmError> {
    let outputs = [temporary()?, temporary()?];
    let end =
        spawn(program, args, feed, &outputs, limit).map_err(LlvmError::io(format!("run {}", program.display())))?;
    Ok((end, outputs))
}

fn spawn(
    program: &Path,
    args: &[String],
    feed: &Feed,
    [stdout, stderr]: &[File; 2],
    limit: Duration,
) -> io::Result<End> {
    // A duplicated file shares its position with the original, which may be anywhere after an earlier run.
    let mut input = feed.0.try_clone()?;
    input.seek(SeekFrom::Start(0))?;
    let mut child = Command::new(program)
        .args(args)
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(stdout.try_clone()?))
        .stderr(Stdio::from(stderr.try_clone()?))
        // A group of its own: the user's Ctrl-C must not look like the tool's death.
        .process_group(0)
        .spawn()?;
    let Some(status) = child.wait_timeout(limit)? else {
        // It may have ended just now, which is no error.
        kill_group(&mut child);
        child.wait()?;
        return Ok(End::Died(Death::Hang));
    };
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Died(Death::Signal(signal.unwrap_or(0))),
    })
}

/// Kills a child and whatever it has started: it leads a process group of its own.
fn kill_group(child: &mut Child) {
    // The standard library cannot signal a group; where there is no kill(1), the child alone must do.
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.kill();
}

/// Most output that is read of a run: some ten times what the largest batch prints. A tool that prints without end is
/// garbled, not answered.
const MOST_OUTPUT: u64 = 64 << 20;

fn contents(mut file: File) -> io::Result<Vec<u8>> {
    let len = file.seek(SeekFrom::End(0))?.min(MOST_OUTPUT);
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
    file.take(MOST_OUTPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The complete lines of an output, without their newlines. A last line without one was cut off and is left out.
pub(super) fn lines(output: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    output.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: &[u8], limit: Duration) -> Run {
        run(Path::new("/bin/sh"), &["-c".into(), script.into()], &Feed::new(input).unwrap(), limit).unwrap()
    }

    #[test]
    fn a_run_reports_what_was_printed_and_how_it_ended() {
        let limit = Duration::from_secs(10);
        let run = sh("cat; echo oops >&2; exit 3", b"one\ntwo", limit);
        assert_eq!((run.end, &run.stdout[..], &run.stderr[..]), (End::Code(3), &b"one\ntwo"[..], &b"oops\n"[..]));
        assert_eq!(sh("kill -SEGV $$", b"", limit).end, End::Died(Death::Signal(11)));
    }

    #[test]
    fn a_feed_can_be_run_twice() {
        let feed = Feed::new(b"again").unwrap();
        for _ in 0..2 {
            assert_eq!(run(Path::new("/bin/cat"), &[], &feed, Duration::from_secs(10)).unwrap().stdout, b"again");
        }
    }

    #[test]
    fn a_process_is_killed_at_the_time_limit() {
        let start = std::time::Instant::now();
        let run = sh("echo begun; exec sleep 60", b"", Duration::from_millis(200));
        assert_eq!((run.end, &run.stdout[..]), (End::Died(Death::Hang), &b"begun\n"[..]));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_process_leads_a_group_of_its_own() {
        let run = sh("cut -d ' ' -f 5 /proc/$$/stat; echo $$", b"", Duration::from_secs(10));
        let printed: Vec<&[u8]> = lines(&run.stdout).collect();
        assert_eq!(printed[0], printed[1], "its group is itself");
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error_that_names_it() {
        let error = run(Path::new("/nowhere/llvm-mc"), &[], &Feed::new(b"").unwrap(), Duration::from_secs(1));
        assert_eq!(error.unwrap_err().to_string(), "cannot run /nowhere/llvm-mc");
    }

    #[test]
    fn a_line_that_was_cut_off_is_dropped() {
        assert_eq!(lines(b"a\n\nb\nc").collect::<Vec<_>>(), [&b"a"[..], b"", b"b"]);
        assert_eq!(lines(b"").count(), 0);
    }
}
