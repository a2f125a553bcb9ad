//! Certificates and their checker.
