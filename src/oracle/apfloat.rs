//! A second opinion on the bare operations, from `rustc_apfloat`.
