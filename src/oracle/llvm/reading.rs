//! What a run is asked to show, and what its output was good for.

/// How a run is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tempo {
    /// As quick as can be.
    Fast,
    /// So that it shows which window it died on.
    Careful,
}

/// What an output was good for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Every window of the run has its answer.
    pub complete: bool,
    /// So many windows did not kill the tool.
    pub survived: usize,
    /// And the next one did.
    pub exact: bool,
}
