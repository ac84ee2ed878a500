//! Several LLVMs beside each other: what they are called, and those that say the same as one row.

use vop3p::oracle::llvm::Llvm;

/// LLVMs that say the same.
pub struct Row<T> {
    pub names: Vec<String>,
    pub said: T,
}

impl<T> Row<T> {
    /// `LLVM 14, 15, 22`.
    pub fn title(&self) -> String {
        format!("LLVM {}", self.names.join(", "))
    }
}

/// A row for all that say the same, in the order of the first of each.
pub fn rows<T>(said: impl Iterator<Item = (String, T)>, is_same: impl Fn(&T, &T) -> bool) -> Vec<Row<T>> {
    let mut rows: Vec<Row<T>> = Vec::new();
    for (name, said) in said {
        match rows.iter_mut().find(|row| is_same(&row.said, &said)) {
            Some(row) => row.names.push(name),
            None => rows.push(Row { names: vec![name], said }),
        }
    }
    rows
}

/// What to call them in a table: the full version of a single one, else major versions as far as they tell them apart,
/// and a count behind the version for builds of the same.
pub fn names(llvms: &[Llvm]) -> Vec<String> {
    let alone = |is_like: &dyn Fn(&Llvm) -> bool| llvms.iter().filter(|one| is_like(one)).count() == 1;
    let name = |(place, llvm): (usize, &Llvm)| {
        let version = llvm.version;
        let before = llvms.iter().take(place).filter(|other| other.version == version).count();
        if llvms.len() > 1 && alone(&|other| other.version.major == version.major) {
            version.major.to_string()
        } else if alone(&|other| other.version == version) {
            version.to_string()
        } else {
            format!("{version} ({})", before + 1)
        }
    };
    llvms.iter().enumerate().map(name).collect()
}

/// The full versions; of builds of the same version also where they are.
pub fn legend(llvms: &[Llvm]) -> String {
    let item = |(llvm, name): (&Llvm, String)| {
        let version = llvm.version.to_string();
        if name.starts_with(&format!("{version} (")) { format!("{name} {}", llvm.mc.display()) } else { version }
    };
    llvms.iter().zip(names(llvms)).map(item).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use vop3p::oracle::llvm::Version;

    fn llvms(versions: &[(u32, u32)]) -> Vec<Llvm> {
        let llvm = |(place, (major, patch)): (usize, &(u32, u32))| Llvm {
            mc: format!("/{place}/llvm-mc").into(),
            objdump: format!("/{place}/llvm-objdump").into(),
            version: Version { major: *major, minor: 1, patch: *patch },
        };
        versions.iter().enumerate().map(llvm).collect()
    }

    #[test]
    fn names_are_as_short_as_they_tell_versions_apart() {
        assert_eq!(names(&llvms(&[(22, 8)])), ["22.1.8"]);
        let some = llvms(&[(14, 6), (19, 7), (22, 8), (22, 9), (22, 9)]);
        assert_eq!(names(&some), ["14", "19", "22.1.8", "22.1.9 (1)", "22.1.9 (2)"]);
        assert_eq!(legend(&some), "14.1.6, 19.1.7, 22.1.8, 22.1.9 (1) /3/llvm-mc, 22.1.9 (2) /4/llvm-mc");
    }

    #[test]
    fn those_that_say_the_same_are_one_row() {
        let said = [("14", 'a'), ("15", 'b'), ("16", 'a')].map(|(name, said)| (name.to_owned(), said));
        let titles: Vec<String> = rows(said.into_iter(), char::eq).iter().map(Row::title).collect();
        assert_eq!(titles, ["LLVM 14, 16", "LLVM 15"]);
    }
}
