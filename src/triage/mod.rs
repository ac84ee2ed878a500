//! From findings to causes: what a sweep found, minimised, put together by cause, with a proposed verdict.

pub mod cluster;
