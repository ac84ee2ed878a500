//! Finds LLVM's tools and makes sure that they can be used.

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::child::{self, Feed};
use super::{LlvmError, Tool};

/// The environment variable that chooses an LLVM when the caller does not.
pub const VARIABLE: &str = "VOP3P_LLVM";

/// Time `--version` gets.
const VERSION_TIME_LIMIT: Duration = Duration::from_secs(20);

/// A version of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 22 of 22.1.8.
    pub major: u32,
    /// 1 of 22.1.8.
    pub minor: u32,
    /// 8 of 22.1.8.
    pub patch: u32,
}

impl Version {
    /// The version in what `--version` prints, `Debian LLVM version 22.1.8` or `LLVM version 23.0.0git`.
    fn in_output(output: &str) -> Option<Self> {
        let (_, version) = output.split_once("LLVM version ")?;
        let mut parts = version.split('.').map(|part| {
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            part[..digits].parse::<u32>().ok()
        });
        Some(Self {
            major: parts.next()??,
            minor: parts.next().flatten().unwrap_or(0),
            patch: parts.next().flatten().unwrap_or(0),
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Which LLVM is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The highest version found that has amdgcn.
    #[default]
    Highest,
    /// This major version.
    Version(u32),
    /// The tools in this directory, or this `llvm-mc` and the `llvm-objdump` beside it.
    Dir(PathBuf),
}

impl Choice {
    /// The caller's choice if there is one, otherwise that of the environment variable [`VARIABLE`].
    #[must_use]
    pub fn or_environment(explicit: Option<Self>) -> Self {
        let Some(choice) = explicit else {
            let variable = std::env::var_os(VARIABLE).unwrap_or_default();
            return match variable.to_str() {
                Some(text) => text.parse().unwrap_or_default(),
                None => Self::Dir(variable.into()),
            };
        };
        choice
    }
}

/// `19`, `highest` or nothing, or else a path.
impl FromStr for Choice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.trim() {
            "" | "highest" => Self::Highest,
            text => text.parse().map_or_else(|_| Self::Dir(text.into()), Self::Version),
        })
    }
}

/// Where tools are looked for.
#[derive(Clone, Debug)]
pub struct Search {
    /// Directories with `llvm-mc` or `llvm-mc-N`, those of PATH.
    pub path: Vec<PathBuf>,
    /// A directory with `llvm-N/bin`, /usr/lib on Debian.
    pub installations: PathBuf,
}

impl Default for Search {
    fn default() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self { path: std::env::split_paths(&path).collect(), installations: "/usr/lib".into() }
    }
}

/// Both tools of one LLVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// Its `llvm-mc`.
    pub mc: PathBuf,
    /// Its `llvm-objdump`.
    pub objdump: PathBuf,
    /// The version of both.
    pub version: Version,
}

impl Llvm {
    /// The LLVM of this choice, checked: both tools are there, of one version, and have amdgcn.
    ///
    /// # Errors
    /// Says what is missing or does not fit.
    pub fn find(choice: &Choice) -> Result<Self, LlvmError> {
        Self::find_in(choice, &Search::default())
    }

    /// [`Self::find`], looking in these places.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn find_in(choice: &Choice, search: &Search) -> Result<Self, LlvmError> {
        match choice {
            Choice::Dir(place) if names_several(place) => Err(LlvmError::Several { text: place.display().to_string() }),
            Choice::Dir(place) => Self::of(&mc_at(place)?)?.complete(),
            Choice::Version(wanted) => {
                let named = candidates(search).into_iter().find(|candidate| candidate.major == Some(*wanted));
                if let Some(candidate) = named {
                    let found = Self::of(&candidate.mc)?;
                    if found.version.major != *wanted {
                        let other = |found| LlvmError::OtherVersion { path: candidate.mc, wanted: *wanted, found };
                        return Err(other(found.version));
                    }
                    return found.complete();
                }
                let unnamed = candidates(search).into_iter().filter(|candidate| candidate.major.is_none());
                match unnamed.filter_map(|candidate| Self::of(&candidate.mc).ok()).find(|f| f.version.major == *wanted)
                {
                    Some(found) => found.complete(),
                    None => Err(missing(Tool::Mc, format!("of version {wanted} on PATH or in {}", search.places()))),
                }
            }
            Choice::Highest => Self::highest(search),
        }
    }

    fn highest(search: &Search) -> Result<Self, LlvmError> {
        let mut best: Option<Self> = None;
        let mut complaint = None;
        // Those whose name tells no version come first, then from the highest on: the rest need not be run.
        for candidate in candidates(search) {
            if let (Some(best), Some(major)) = (&best, candidate.major)
                && best.version.major >= major
            {
                break;
            }
            match Self::of(&candidate.mc) {
                Ok(found) if best.as_ref().is_none_or(|best| best.version < found.version) => best = Some(found),
                Ok(_) => {}
                Err(error) => complaint = complaint.or(Some(error)),
            }
        }
        match best {
            Some(best) => best.complete(),
            None => Err(complaint.unwrap_or_else(|| missing(Tool::Mc, format!("on PATH or in {}", search.places())))),
        }
    }

    /// Every usable LLVM, lowest version first; of two alike the one found first.
    #[must_use]
    pub fn find_all() -> Vec<Self> {
        Self::find_all_in(&Search::default())
    }

    /// [`Self::find_all`], looking in these places.
    #[must_use]
    pub fn find_all_in(search: &Search) -> Vec<Self> {
        let found =
            candidates(search).into_iter().filter_map(|candidate| Self::of(&candidate.mc).ok()?.complete().ok());
        let mut all: Vec<Self> = found.collect();
        all.sort_by_key(|llvm| llvm.version);
        all.dedup_by_key(|llvm| llvm.version);
        all
    }

    /// Whether both are one installation, whatever name or link it was found by.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.mc == other.mc || file_behind(&self.mc).is_some_and(|file| file_behind(&other.mc) == Some(file))
    }

    /// The path of one of the tools.
    #[must_use]
    pub fn program(&self, tool: Tool) -> &Path {
        match tool {
            Tool::Mc => &self.mc,
            Tool::Objdump => &self.objdump,
        }
    }

    /// This `llvm-mc`, checked, with a guess at its `llvm-objdump`.
    fn of(mc: &Path) -> Result<Self, LlvmError> {
        let output = version_output(mc)?;
        let version = version_in(mc, &output)?;
        let mut targets = output.lines().skip_while(|line| !line.contains("Registered Targets"));
        if !targets.any(|line| line.split_whitespace().next() == Some("amdgcn")) {
            return Err(LlvmError::NoAmdgcn { path: mc.to_owned(), version });
        }
        Ok(Self { mc: mc.to_owned(), objdump: objdump_beside(mc), version })
    }

    /// Checks the `llvm-objdump`.
    fn complete(self) -> Result<Self, LlvmError> {
        if !self.objdump.is_file() {
            return Err(missing(Tool::Objdump, format!("at {}, beside its llvm-mc", self.objdump.display())));
        }
        let objdump_version = version_in(&self.objdump, &version_output(&self.objdump)?)?;
        if objdump_version != self.version {
            let Self { mc, objdump, version: mc_version } = self;
            return Err(LlvmError::VersionsDiffer { mc, mc_version, objdump, objdump_version });
        }
        Ok(self)
    }
}

impl Search {
    fn places(&self) -> String {
        format!("{}/llvm-*/bin", self.installations.display())
    }
}

fn missing(tool: Tool, place: String) -> LlvmError {
    LlvmError::Missing { tool, place }
}

fn version_output(program: &Path) -> Result<String, LlvmError> {
    let run = child::run(program, &["--version".into()], &Feed::new(b"")?, VERSION_TIME_LIMIT)?;
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

fn version_in(program: &Path, output: &str) -> Result<Version, LlvmError> {
    Version::in_output(output)
        .ok_or_else(|| LlvmError::Unversioned { path: program.to_owned(), output: output.chars().take(80).collect() })
}

/// An `llvm-mc`, and the major version its name promises.
struct Candidate {
    mc: PathBuf,
    major: Option<u32>,
}

/// Every `llvm-mc`, each file once: first those whose name tells no version, then the highest version first.
fn candidates(search: &Search) -> Vec<Candidate> {
    let mut found = Vec::new();
    for dir in &search.path {
        found.extend(mcs_in(dir));
    }
    for installation in entries(&search.installations) {
        if installation.file_name().and_then(|name| name.to_str()).and_then(major_of_installation).is_some() {
            found.extend(mcs_in(&installation.join("bin")));
        }
    }
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    for mc in found {
        let Some(file) = file_behind(&mc) else { continue };
        let major = major_of(&mc).or_else(|| major_of(&file));
        if seen.insert(file) {
            candidates.push(Candidate { mc, major });
        }
    }
    candidates.sort_by_key(|candidate| candidate.major.map(core::cmp::Reverse));
    candidates
}

/// The file that a path to an `llvm-mc` means: Debian's llvm-mc-22 and llvm-mc are links into /usr/lib/llvm-N/bin. A link
/// to something of another name is a wrapper, which may do another thing under each of its names.
fn file_behind(mc: &Path) -> Option<PathBuf> {
    let real = mc.canonicalize().ok()?;
    let is_tool = real.file_name()?.to_string_lossy().starts_with(Tool::Mc.name());
    if is_tool { Some(real) } else { Some(mc.parent()?.canonicalize().ok()?.join(mc.file_name()?)) }
}

/// Whether this is no path but `all`, or a list as `--llvm` takes it.
fn names_several(place: &Path) -> bool {
    let text = place.to_string_lossy();
    (text == "all" || text.contains(',')) && !place.exists()
}

/// `llvm-mc` and every `llvm-mc-N` of a directory.
fn mcs_in(dir: &Path) -> Vec<PathBuf> {
    let mut mcs: Vec<PathBuf> = entries(dir)
        .into_iter()
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name == "llvm-mc" || major_of_tool(name).is_some()
        })
        .collect();
    mcs.sort();
    mcs
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    fs::read_dir(dir).map_or_else(|_| Vec::new(), |entries| entries.flatten().map(|entry| entry.path()).collect())
}

/// 22 of `llvm-mc-22`.
fn major_of_tool(name: &str) -> Option<u32> {
    name.strip_prefix("llvm-mc-")?.parse().ok()
}

/// 22 of `llvm-22`.
fn major_of_installation(name: &str) -> Option<u32> {
    name.strip_prefix("llvm-")?.parse().ok()
}

/// 22 of `.../llvm-mc-22` and of `.../llvm-22/bin/llvm-mc`.
fn major_of(mc: &Path) -> Option<u32> {
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    major_of_tool(&name(mc)?).or_else(|| major_of_installation(&name(mc.parent()?.parent()?)?))
}

/// The `llvm-mc` that a path means: itself, or the one in that directory or in its `bin`.
fn mc_at(place: &Path) -> Result<PathBuf, LlvmError> {
    if place.is_file() {
        return Ok(place.to_owned());
    }
    for dir in [place.to_owned(), place.join("bin")] {
        let mut mcs = mcs_in(&dir);
        mcs.sort_by_key(|mc| major_of_tool(mc.file_name().and_then(|name| name.to_str()).unwrap_or_default()));
        // `llvm-mc` itself sorts first; without it the highest version is last.
        let plain = mcs.first().filter(|mc| mc.ends_with("llvm-mc"));
        if let Some(mc) = plain.or(mcs.last()) {
            return Ok(mc.clone());
        }
    }
    Err(missing(Tool::Mc, format!("at {}", place.display())))
}

/// The `llvm-objdump` beside an `llvm-mc`, of the same suffix if there is one.
fn objdump_beside(mc: &Path) -> PathBuf {
    let beside = |mc: &Path| {
        let name = mc.file_name().and_then(|name| name.to_str())?;
        let suffix = name.strip_prefix(Tool::Mc.name())?;
        Some(mc.with_file_name(format!("{}{suffix}", Tool::Objdump.name()))).filter(|objdump| objdump.is_file())
    };
    // PATH may have a link to llvm-mc only.
    beside(mc).or_else(|| beside(&mc.canonicalize().ok()?)).unwrap_or_else(|| mc.with_file_name(Tool::Objdump.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_distributions_print() {
        let version = |output| Version::in_output(output).map(|version| version.to_string());
        assert_eq!(version("Debian LLVM version 22.1.8\n  Optimized").as_deref(), Some("22.1.8"));
        assert_eq!(version("LLVM (http://llvm.org/):\n  LLVM version 23.0.0git\n").as_deref(), Some("23.0.0"));
        assert_eq!(version("LLVM version 20.1\n").as_deref(), Some("20.1.0"));
        assert_eq!(version("GNU objdump 2.40"), None);
        assert_eq!(version("LLVM version x"), None);
    }

    #[test]
    fn a_choice_is_a_number_a_path_or_the_highest() {
        let choice = |text: &str| text.parse::<Choice>().unwrap();
        assert_eq!(choice("19"), Choice::Version(19));
        assert_eq!(choice("/usr/lib/llvm-22/bin"), Choice::Dir("/usr/lib/llvm-22/bin".into()));
        assert_eq!(choice("highest"), Choice::Highest);
        assert_eq!(choice(""), Choice::Highest);
        assert_eq!(Choice::or_environment(Some(Choice::Version(3))), Choice::Version(3));
    }

    #[test]
    fn a_name_promises_a_version() {
        assert_eq!(major_of(Path::new("/usr/bin/llvm-mc-19")), Some(19));
        assert_eq!(major_of(Path::new("/usr/lib/llvm-22/bin/llvm-mc")), Some(22));
        assert_eq!(major_of(Path::new("/opt/rocm/bin/llvm-mc")), None);
        assert_eq!(objdump_beside(Path::new("/nowhere/llvm-mc-19")), Path::new("/nowhere/llvm-objdump"));
    }
}
