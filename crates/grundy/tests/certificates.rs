//! Certificates of long periods and of closed forms: accepted as they are, refused with any number of the claim changed.

use std::{fs, path::Path};

use grundy::{
    Session,
    budget::Budget,
    verify::{VerifyAnswer, VerifyQuery},
};
use grundy_core::{
    proof::{Candidate, Certificate, Claim},
    theory::Periodicity,
};

fn all() -> Vec<Certificate> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/certificates");
    let files = fs::read_dir(folder).expect("the folder is there");
    files
        .map(|f| {
            let path = f.expect("files can be listed").path();
            let text = fs::read_to_string(&path).expect("certificates are text");
            text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        })
        .collect()
}

fn verify(certificate: &Certificate) -> VerifyAnswer {
    let query = VerifyQuery { certificate: certificate.clone(), sample: None, seed: 1 };
    Session::new().verify(&query, &Budget::default()).unwrap_or_else(|e| panic!("{}: {e}", certificate.subject))
}

/// Other functions.
fn changed(form: &Candidate) -> Vec<Candidate> {
    let mut changes = Vec::new();
    match form {
        Candidate::Periodic { preperiod, period, saltus, values } => {
            let (preperiod, period) = (*preperiod, *period);
            changes.push(Candidate::Periodic { preperiod, period, saltus: saltus + 1, values: values.clone() });
            for i in 0..values.len() {
                let mut values = values.clone();
                values[i] += 1;
                changes.push(Candidate::Periodic { preperiod, period, saltus: *saltus, values });
            }
        }
        Candidate::Automaton { next, accept } => {
            for i in 0..accept.len() {
                let mut accept = accept.clone();
                accept[i] = !accept[i];
                changes.push(Candidate::Automaton { next: next.clone(), accept });
            }
        }
    }
    changes
}

#[test]
fn long_periods_are_accepted_and_changed_ones_refused() {
    let all = all();
    assert!(all.len() >= 3);
    for c in all {
        let answer = verify(&c);
        assert_eq!(answer.accepted, Some(true), "{}: {}", c.subject, answer.reason);
        let p = match &c.claim {
            Claim::Period(p) => *p,
            Claim::ClosedForm(form) => {
                for claim in changed(form) {
                    let answer = verify(&Certificate { claim: Claim::ClosedForm(claim), ..c.clone() });
                    assert_eq!(answer.accepted, Some(false), "{}", c.subject);
                }
                continue;
            }
        };
        let mut changes = vec![Periodicity { preperiod: p.preperiod - 1, ..p }, Periodicity { saltus: 1, ..p }];
        match c.subject.as_str() {
            // the literature has heap 326637 as the last exception of 0.56
            "0.56" => changes.push(Periodicity { preperiod: 326_638, ..p }),
            "0.127" => {
                changes.push(Periodicity { preperiod: p.preperiod + 1, ..p });
                changes.push(Periodicity { period: 2 * p.period, ..p });
            }
            _ => {}
        }
        for claim in changes {
            let answer = verify(&Certificate { claim: Claim::Period(claim), ..c.clone() });
            assert_eq!(answer.accepted, Some(false), "{}: {claim}", c.subject);
        }
    }
}
