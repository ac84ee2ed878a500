//! The page's Content-Security-Policy: nothing is loaded, and no script runs but the page's own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The policy under which exactly these inline scripts run.
pub fn of(scripts: &[&str]) -> String {
    let hash = |script: &&str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script.as_bytes())));
    let hashes: String = scripts.iter().map(hash).collect();
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src{hashes}; base-uri 'none'; form-action 'none'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_by_its_hash() {
        // SHA-256 of the empty text and of `abc`: FIPS 180-2, appendix B.1, in base64.
        let policy = of(&["", "abc"]);
        assert!(policy.contains(
            "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' \
             'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='; "
        ));
        assert!(policy.starts_with("default-src 'none'; "));
    }
}
