//! Closed forms found in data.
//!
//! [`readable()`] writes a period that is known as the shortest formula it can find, [`simple_forms`] guesses forms with binary
//! digits that have no period. Both only look at values: what they claim beyond them needs a proof.

mod cases;
mod readable;
mod simple;
mod terms;

pub use readable::readable;
pub use simple::simple_forms;
