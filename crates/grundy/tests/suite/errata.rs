//! Known mistakes of the literature: each with what is right, and a test where the present engines reach it.

use crate::{
    Report,
    data::{self, Errata},
    engines::Tally,
    position, sequence,
};

#[test]
fn errata() {
    let errata: Errata = data::read("errata.toml");
    let mut report = Report::default();
    let mut tally = Tally::default();
    for m in &errata.mistake {
        for text in [&m.claim, &m.right, &m.source] {
            report.check(&m.id, "claim, right and source are told", text.is_empty(), false);
        }
        let tested = !m.case.is_empty() || !m.sequence.is_empty() || !m.accepted.is_empty();
        for file in &m.accepted {
            report.check(&m.id, file, data::dir().join("certificates").join(file).is_file(), true);
        }
        report.check(&m.id, "tested, or out of reach with a reason", tested, m.out_of_reach.is_none());
        for case in &m.case {
            position::check(case, &mut tally, &mut report);
        }
        for s in &m.sequence {
            sequence::check(s, &mut tally, &mut report);
        }
    }
    report.end();
}
