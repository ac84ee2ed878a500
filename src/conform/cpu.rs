//! `-mcpu` and `-mattr`, as a target.

use std::fmt;

use crate::isa::Target;

/// What `-mattr` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// As the test writes it; empty if it does not.
    pub text: String,
    /// The wave size it asks for.
    pub wave: Option<u8>,
    /// Why it makes up no target of ours, if so.
    strange: Option<WhyNot>,
}

/// Why a processor with its features is no target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The processor came before VOP3P.
    NoVop3p,
    /// We do not know the processor.
    Unknown,
    /// The processor does not run waves of this size.
    Wave(u8),
    /// Two wave sizes at once.
    TwoWaves,
    /// A feature that may change which instructions there are.
    Feature(String),
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVop3p => f.write_str("the processor has no VOP3P: it came with gfx900"),
            Self::Unknown => f.write_str("an unknown processor"),
            Self::Wave(wave) => write!(f, "the processor has no wave{wave}"),
            Self::TwoWaves => f.write_str("two wave sizes at once"),
            Self::Feature(feature) => write!(f, "the feature `{feature}`"),
        }
    }
}

/// LLVM's names for the processors before gfx900, beside their numbers; `generic` is the oldest of them.
const OLD: &[&str] = &[
    "generic",
    "generic-hsa",
    "tahiti",
    "pitcairn",
    "verde",
    "oland",
    "hainan",
    "kaveri",
    "hawaii",
    "kabini",
    "mullins",
    "bonaire",
    "tonga",
    "tongapro",
    "iceland",
    "carrizo",
    "fiji",
    "stoney",
    "polaris10",
    "polaris11",
];

/// Features that do not concern VOP3P.
const HARMLESS: &[&str] =
    &["real-true16", "xnack", "sramecc", "cumode", "tgsplit", "flat-for-global", "architected-flat-scratch"];

impl Features {
    /// Reads `+wavefrontsize64,-real-true16`.
    pub(super) fn parse(text: &str) -> Self {
        let mut features = Self { text: text.to_owned(), ..Self::default() };
        let (mut on, mut off) = ([false; 2], [false; 2]);
        for feature in text.split(',').map(str::trim).filter(|feature| !feature.is_empty()) {
            let lower = feature.to_ascii_lowercase();
            let (sign, name) = match lower.strip_prefix('+') {
                Some(name) => (true, name),
                None => (false, lower.strip_prefix('-').unwrap_or(&lower)),
            };
            match name.strip_prefix("wavefrontsize") {
                Some("32") => *if sign { &mut on[0] } else { &mut off[0] } = true,
                Some("64") => *if sign { &mut on[1] } else { &mut off[1] } = true,
                _ if HARMLESS.contains(&name) => {}
                _ => features.strange = Some(WhyNot::Feature(feature.to_owned())),
            }
        }
        match (on, off) {
            ([true, true], _) => features.strange = Some(WhyNot::TwoWaves),
            ([true, false], _) | ([false, false], [false, true]) => features.wave = Some(32),
            ([false, true], _) | ([false, false], [true, false]) => features.wave = Some(64),
            ([false, false], [false, false]) => {}
            ([false, false], [true, true]) => features.strange = Some(WhyNot::Feature(text.to_owned())),
        }
        features
    }
}

/// The target of a processor with these features.
pub(super) fn target(cpu: &str, features: &Features) -> Result<Target, WhyNot> {
    let number = cpu.strip_prefix("gfx");
    if OLD.contains(&cpu) || number.is_some_and(|n| n.len() == 3 && n.starts_with(['6', '7', '8'])) {
        return Err(WhyNot::NoVop3p);
    }
    if !Target::all().any(|target| target.cpu() == cpu) {
        return Err(WhyNot::Unknown);
    }
    if let Some(why) = &features.strange {
        return Err(why.clone());
    }
    match features.wave {
        None => cpu.parse().map_err(|_| WhyNot::Unknown),
        Some(wave) => format!("{cpu}:w{wave}").parse().map_err(|_| WhyNot::Wave(wave)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_choose_the_wave_size() {
        let of = |cpu: &str, text: &str| target(cpu, &Features::parse(text)).map(|target| target.to_string());
        assert_eq!(of("gfx1100", ""), Ok("gfx1100".to_owned()));
        assert_eq!(of("gfx1100", "+wavefrontsize64,-real-true16"), Ok("gfx1100:w64".to_owned()));
        assert_eq!(of("gfx1100", "-WavefrontSize32,+WavefrontSize64"), Ok("gfx1100:w64".to_owned()));
        assert_eq!(of("gfx1100", "-wavefrontsize32"), Ok("gfx1100:w64".to_owned()));
        assert_eq!(of("gfx1100", "+wavefrontsize32"), Ok("gfx1100".to_owned()));
        assert_eq!(of("gfx1100", "+wavefrontsize32,+wavefrontsize64"), Err(WhyNot::TwoWaves));
        assert_eq!(of("gfx950", "+wavefrontsize32,-wavefrontsize64"), Err(WhyNot::Wave(32)));
        assert_eq!(of("gfx1250", "+wavefrontsize64"), Err(WhyNot::Wave(64)));
    }

    #[test]
    fn what_is_no_target_says_why() {
        let of = |cpu: &str, text: &str| target(cpu, &Features::parse(text));
        for old in ["tahiti", "bonaire", "tonga", "gfx800", "gfx703", "generic"] {
            assert_eq!(of(old, "+wavefrontsize64"), Err(WhyNot::NoVop3p), "{old}");
        }
        assert_eq!(of("gfx9999", ""), Err(WhyNot::Unknown));
        assert_eq!(of("gfx900", "+dot1-insts"), Err(WhyNot::Feature("+dot1-insts".to_owned())));
    }
}
