//! What the fuzz targets that execute instructions have in common.

use vop3p::campaign::values::{ValueCampaign, ValueFinding};
use vop3p::report::value_finding::value_block;

use crate::shared::{keep, stop};

/// Puts all differences of a batch on disk.
pub fn keep_values(campaign: &mut ValueCampaign, findings: &[ValueFinding]) {
    let lines: Vec<String> = findings.iter().map(|finding| campaign.json_line(finding)).collect();
    keep(lines.into_iter());
}

/// Ends the process with the first of some differences, made small, if there is one.
pub fn stop_at_value(campaign: &mut ValueCampaign, findings: &[ValueFinding], what: &str, summary: &str) {
    let Some(first) = findings.first() else { return };
    let (small, difference) = campaign.smallest(first);
    stop(&value_block(&small, &difference), findings.len(), what, summary);
}
