//! Predicates as they are written in the ledger.

use std::fmt;

use super::class::CLASSES;
use super::{Clause, FieldIs, Half, OpcodeName, TargetName, TupleIs};

impl fmt::Display for TargetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for OpcodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Class(class) => {
                f.write_str(CLASSES.iter().find(|(_, known)| known == class).map_or("@?", |(name, _)| name))
            }
            Self::Number(set) => write!(f, "#{set}"),
        }
    }
}

impl fmt::Display for FieldIs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field.name())?;
        match (self.low, self.width) {
            (0, width) if width == self.field.width() => {}
            (low, 1) => write!(f, "[{low}]")?,
            (low, width) => write!(f, "[{}:{low}]", low + width - 1)?,
        }
        write!(f, " = {}", self.set)
    }
}

/// `targets vega, cdna1; opcodes @mix; src0 = dpp (context); source 1 in 254`
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(items: &[T]) -> String {
            items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        let mut parts = Vec::new();
        if !self.targets.is_empty() {
            parts.push(format!("targets {}", list(&self.targets)));
        }
        if !self.opcodes.is_empty() {
            parts.push(format!("opcodes {}", list(&self.opcodes)));
        }
        parts.extend(self.context.iter().map(|condition| format!("{condition} (context)")));
        parts.extend(self.fields.iter().map(ToString::to_string));
        if let Some(set) = &self.source {
            let slots =
                if self.slots.is_empty() { "any source".to_owned() } else { format!("source {}", list(&self.slots)) };
            parts.push(format!("{slots} = {set}"));
        }
        parts.extend(self.scalars.iter().map(|set| format!("scalar values = {set}")));
        parts.extend(self.cut_short.map(|cut| if cut { "cut short" } else { "not cut short" }.to_owned()));
        parts.extend(self.tuple.map(|fault| {
            match fault {
                TupleIs::Odd => "a tuple starts at an odd register",
                TupleIs::PastEnd => "a tuple runs past register 255",
                TupleIs::Overlap => "source 2 overlaps the destination",
            }
            .to_owned()
        }));
        if !self.text.is_empty() {
            parts.push(format!(
                "text has {}",
                self.text.iter().map(|t| format!("`{t}`")).collect::<Vec<_>>().join(" or ")
            ));
        }
        parts.extend(self.reordered.map(|is| if is { "modifiers reordered" } else { "modifiers in order" }.to_owned()));
        parts.extend(self.wave.map(|wave| format!("wave{wave}")));
        parts.extend(self.half.map(|half| {
            match half {
                Half::Lone => "alone",
                Half::Scale => "first word of a pair",
                Half::Body => "second word of a pair",
            }
            .to_owned()
        }));
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;

    #[test]
    fn a_clause_shows_what_it_says() {
        let clause: Clause = toml::from_str(
            "targets = ['vega', 'gfx950']\nopcodes = ['@mix', '#64-74']\nfields = ['op_sel[2] = 1', 'literal[31:16] = !0']\n\
             context = ['src0 = dpp']\nsource = '254'\nslots = [1, 2]\nscalars = '2-3'\ncut-short = true",
        )
        .unwrap();
        assert_eq!(
            clause.to_string(),
            "targets vega, gfx950; opcodes @mix, #64-74; src0 = dpp (context); op_sel[2] = 1; literal[31:16] = !0; \
             source 1, 2 = 254; scalar values = 2-3; cut short"
        );
    }
}
