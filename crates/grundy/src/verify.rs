//! Certificates of periods and closed forms: written from what a session knows, and checked by the checker of `grundy-core`.

use std::sync::Arc;

use grundy_core::{
    notation::read_heap_game,
    proof::{
        BLOCK, Candidate, Certificate, Check, CheckLimits, Claim, Hints, Sample, Split, Verdict, check_form, digest,
    },
    rulesets::HeapGame,
    theory::{Convention, Periodicity},
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    discover::{Form, compile, readable},
    period::{BY_AUTOMATA, PeriodAnswer, PeriodQuery},
    play::Random,
    sequence::{Shape, ValueTable, best_split},
    session::Refusal,
};

/// Is a certificate right?
#[derive(Clone, Debug)]
pub struct VerifyQuery {
    /// The certificate.
    pub certificate: Certificate,
    /// Check so many heaps, chosen at random, in place of all.
    pub sample: Option<u64>,
    /// Seed of the choice.
    pub seed: u64,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct VerifyAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The subject of the certificate.
    pub game: String,
    /// What the certificate claims, in one sentence.
    pub claim: String,
    /// True: the claim is proved. False: it is wrong, or the certificate is. None: not decided, after a sample or a limit.
    pub accepted: Option<bool>,
    /// Why.
    pub reason: String,
    /// How much was checked.
    pub checked: String,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// Options looked at between two looks at the clock.
const STEPS: u64 = 1 << 20;

impl Session {
    /// The certificate of a proved period of `game`, with hints: bound, split, digests, and the values if wanted.
    ///
    /// None if the period is not proved, or if positions of the game are not the heaps of its rule.
    ///
    /// # Complexity
    /// Two passes over the values, and O(V log V) for values below V.
    pub fn certificate(&mut self, game: &Arc<HeapGame>, answer: &PeriodAnswer, values: bool) -> Option<Certificate> {
        let period = answer.period().filter(|_| answer.header.status == Status::Proved)?;
        if game.heap_of(0) != Some(0) {
            return None;
        }
        if answer.theorem == Some(BY_AUTOMATA) {
            let (sequence, _) = self.knowledge().run(game, 0, &mut Meter::unlimited());
            let count = usize::try_from(period.preperiod + period.period).ok()?;
            let values: Vec<u64> = sequence.table().iter_from(0).take(count).collect();
            return self.form_certificate(game, &Form::periodic(period, &values));
        }
        let mut certificate =
            Certificate { subject: game.subject().to_owned(), claim: Claim::Period(period), hints: Hints::default() };
        if let Some(bound) = answer.bound {
            let (sequence, _) = self.knowledge().run(game, bound - 1, &mut Meter::unlimited());
            let table = sequence.table();
            let end = usize::try_from(bound).ok().filter(|end| *end <= table.len())?;
            let blocks = (0..end).step_by(BLOCK as usize);
            certificate.hints = Hints {
                bound: Some(bound),
                split: Shape::of(game.rule()).and_then(|shape| hint(table, &shape)),
                blocks: blocks.map(|b| digest(table.iter_from(b).take((end - b).min(BLOCK as usize)))).collect(),
                values: if values { table.iter_from(0).take(end).collect() } else { Vec::new() },
            };
        }
        Some(certificate)
    }

    /// The certificate of a form that was proved of a game: of its period where a theorem proves that, by values or where
    /// automata cannot, else of the form itself.
    ///
    /// None if positions of the game are not the heaps of its rule.
    pub fn form_certificate(&mut self, game: &Arc<HeapGame>, form: &Form) -> Option<Certificate> {
        let by_values = self.knowledge().run(game, 0, &mut Meter::unlimited()).0.proved().is_some();
        let by_theorem = game.closed_form().is_some() && compile::inside(game.rule(), &mut Meter::unlimited()).is_err();
        if let Candidate::Periodic { .. } = form.candidate
            && (by_values || by_theorem)
        {
            let answer =
                self.period(&PeriodQuery { game: game.clone(), to: Some(0), prove: false }, &Budget::default());
            return self.certificate(game, &answer, false);
        }
        let claim = Claim::ClosedForm(form.candidate.clone());
        let starts = game.heap_of(0) == Some(0);
        starts.then(|| Certificate { subject: game.subject().to_owned(), claim, hints: Hints::default() })
    }

    /// Checks a certificate: all of it by the checker of `grundy-core`, which knows no engine; or a sample.
    ///
    /// A sample takes the values from the certificate if it carries them, else from the engines, which are not to be
    /// trusted here; it checks the digests and the equation on all of them, and single heaps by their definition. It can
    /// refuse a claim and never accept one. Closed forms are checked whole in any case.
    ///
    /// # Complexity
    /// That of `proof::Check` and `proof::check_form`. A sample: that of the values, and all options of every heap chosen.
    ///
    /// # Errors
    /// A [`Refusal`] if the subject cannot be read, or the claim is outside the theory of the checker.
    pub fn verify(&mut self, query: &VerifyQuery, budget: &Budget) -> Result<VerifyAnswer, Refusal> {
        let mut meter = Meter::new(budget);
        let mut answer = VerifyAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Stopped,
                method: "values recomputed by the plain checker".into(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game: query.certificate.subject.clone(),
            claim: claim_in_words(&query.certificate),
            accepted: None,
            reason: String::new(),
            checked: String::new(),
            stop: None,
        };
        match (&query.certificate.claim, query.sample) {
            (Claim::ClosedForm(form), _) => closed_form(&query.certificate, form, &mut answer, &mut meter)?,
            (_, None) => whole(&query.certificate, &mut answer, &mut meter)?,
            (_, Some(count)) => self.sample(query, count, &mut answer, &mut meter)?,
        }
        if let Some(stop) = &answer.stop {
            answer.reason = stop.to_string();
        }
        if answer.accepted.is_some() {
            answer.header.status = Status::Proved;
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn sample(
        &mut self,
        query: &VerifyQuery,
        count: u64,
        answer: &mut VerifyAnswer,
        meter: &mut Meter,
    ) -> Result<(), Refusal> {
        answer.header.method = "a sample of heaps by their definition, in a table that is believed".into();
        let certificate = &query.certificate;
        let needed = Check::new(certificate).needed();
        let mut table: ValueTable = certificate.hints.values.iter().copied().collect();
        if table.is_empty() && needed > 0 {
            let Ok(game) = read_heap_game(&certificate.subject) else { return Ok(()) };
            let (sequence, stop) = self.knowledge().run(&game, needed - 1, meter);
            // a sequence that has proved its period knows what follows
            table = (0..needed).map_while(|n| sequence.value(n)).collect();
            if let Some(stop) = stop.filter(|_| (table.len() as u64) < needed) {
                answer.stop = Some(stop.reached(format!("values are known to heap {}", table.len().saturating_sub(1))));
                return Ok(());
            }
        }
        let sample = match Sample::new(certificate, |n| table.get(n as usize).unwrap_or_default()) {
            Ok(sample) => sample,
            Err(verdict) => return decide(verdict, answer, "the claim, without values"),
        };
        if let Err(verdict) = sample.whole() {
            return decide(verdict, answer, &format!("the equation on {needed} values that are believed"));
        }
        let mut random = Random::new(query.seed);
        let count = count.min(needed);
        for i in 0..count {
            let checked = format!("sample {i} of {needed}");
            answer.checked = checked.clone();
            if let Err(stop) = meter.position().and_then(|()| meter.steps(1 << 20)) {
                answer.stop = Some(stop.reached(checked));
                return Ok(());
            }
            if let Err(verdict) = sample.heap(random.below(needed)) {
                return decide(verdict, answer, &checked);
            }
        }
        answer.header.status = Status::Observed;
        answer.checked = format!("sample {count} of {needed}");
        answer.reason = "the sample agrees, which is no proof".into();
        Ok(())
    }
}

/// Longest formula in a claim.
const LONGEST: usize = 160;

/// What a certificate claims.
fn claim_in_words(certificate: &Certificate) -> String {
    let subject = &certificate.subject;
    let equation = |preperiod: u64, period: u64, saltus: u64| {
        let saltus = if saltus > 0 { format!(" + {saltus}") } else { String::new() };
        format!("G(n + {period}) = G(n){saltus} for all n >= {preperiod}")
    };
    match &certificate.claim {
        Claim::Period(p) => format!(
            "the value G(n) of heap n of {subject} satisfies {}, and with no smaller preperiod or period",
            equation(p.preperiod, p.period, p.saltus)
        ),
        Claim::ClosedForm(Candidate::Periodic { preperiod, period, saltus, values }) => {
            let p = Periodicity { preperiod: *preperiod, period: *period, saltus: *saltus };
            let is_whole = preperiod.checked_add(*period) == Some(values.len() as u64);
            let formula = if is_whole { readable(p, values).map(|f| f.to_string()) } else { None };
            match formula.filter(|f| f.len() <= LONGEST) {
                Some(formula) => format!("the value of every heap n of {subject} is {formula}"),
                None => format!(
                    "the value G(n) of heap n of {subject} satisfies {}, and the first {} are those in the certificate",
                    equation(*preperiod, *period, *saltus),
                    values.len()
                ),
            }
        }
        Claim::ClosedForm(Candidate::Automaton { next, .. }) => format!(
            "the value of every heap n of {subject} is the one that the automaton of {} states in the certificate accepts with n",
            next.len()
        ),
    }
}

/// The split that makes the check fast.
fn hint(table: &ValueTable, shape: &Shape) -> Option<Split> {
    best_split(table, shape).map(|(split, _)| Split { mask: split.mask, by_parity: split.turning.is_some() })
}

fn decide(verdict: Verdict, answer: &mut VerifyAnswer, checked: &str) -> Result<(), Refusal> {
    answer.checked = checked.to_owned();
    (answer.accepted, answer.reason) = match verdict {
        Verdict::Accepted => (Some(true), "the claim is proved".into()),
        Verdict::Refused(reason) => (Some(false), reason),
        Verdict::TooLarge(reason) => (None, reason),
        Verdict::Outside(reason) => {
            return Err(Refusal { message: format!("{} is not checked: {reason}", answer.game), hint: None });
        }
    };
    Ok(())
}

/// Steps of the meter between two questions of the checker.
const FORM_STEPS: u64 = 1 << 14;

/// Bytes of tables for a state of an automaton, about.
const BYTES_PER_STATE: u64 = 512;

fn closed_form(
    certificate: &Certificate,
    form: &Candidate,
    answer: &mut VerifyAnswer,
    meter: &mut Meter,
) -> Result<(), Refusal> {
    answer.header.method = "both halves of the definition, for all heaps at once, by plain automata".into();
    let most = CheckLimits::default();
    let by_memory = meter.budget().memory.map_or(u64::MAX, |bytes| bytes / BYTES_PER_STATE);
    let (limit, states) = [(Limit::Positions, meter.positions_left()), (Limit::Memory, by_memory)]
        .into_iter()
        .min_by_key(|(_, states)| *states)
        .unwrap_or((Limit::Memory, u64::MAX));
    let limits = CheckLimits { states: most.states.min(usize::try_from(states).unwrap_or(usize::MAX)), ..most };
    if let Err(stop) = meter.steps(FORM_STEPS) {
        answer.stop = Some(stop.reached("nothing was checked"));
        answer.reason = "nothing was checked".into();
        return Ok(());
    }
    let mut stop = None;
    let verdict = check_form(certificate, form, limits, &mut || {
        stop = meter.steps(FORM_STEPS).err();
        stop.is_none()
    });
    if let (Verdict::TooLarge(reason), true, None) = (&verdict, limits.states < most.states, &stop) {
        stop = Some(meter.stop(limit).reached(reason.clone()));
    }
    match stop {
        Some(stop) => {
            answer.stop = Some(stop);
            Ok(())
        }
        None => decide(verdict, answer, "the closed form, for all heaps"),
    }
}

fn whole(certificate: &Certificate, answer: &mut VerifyAnswer, meter: &mut Meter) -> Result<(), Refusal> {
    let mut check = Check::new(certificate);
    let needed = check.needed();
    let checked = |done: u64| match needed {
        0 => "the claim, without values".to_owned(),
        _ => format!("{done} of {needed} values"),
    };
    let mut spent = meter.bytes(needed).map_err(|s| s.reached(checked(0)));
    if needed > meter.positions_left() {
        spent = Err(meter.stop(Limit::Positions).reached(checked(0)));
    }
    loop {
        if let Err(stop) = spent {
            answer.checked = checked(check.done());
            answer.stop = Some(stop);
            return Ok(());
        }
        if let Some(verdict) = check.advance(STEPS) {
            meter.count_positions(check.done());
            return decide(verdict, answer, &checked(check.done()));
        }
        spent = meter.steps(STEPS).map_err(|s| s.reached(checked(check.done())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::period::PeriodQuery;

    fn certificate(game: &str, values: bool) -> Certificate {
        let game = read_heap_game(game).unwrap();
        let mut session = Session::new();
        let query = PeriodQuery { game: game.clone(), to: None, prove: true };
        let answer = session.period(&query, &Budget::default());
        let certificate = session.certificate(&game, &answer, values).unwrap();
        // what is written is what is read
        assert_eq!(certificate.to_string().parse(), Ok(certificate.clone()));
        certificate
    }

    fn verify(certificate: &Certificate, sample: Option<u64>) -> VerifyAnswer {
        let query = VerifyQuery { certificate: certificate.clone(), sample, seed: 1 };
        Session::new().verify(&query, &Budget::default()).unwrap()
    }

    #[test]
    fn every_proof_has_a_certificate_that_is_accepted() {
        for game in ["0.77", "0.07", "0.165", "0.356", "0.F2", "S", "lasker", "allbut[{2, 3}]", "4.77", "0.0"] {
            let game = if game == "S" { "subtraction[{1, 4, 10}]" } else { game };
            for values in [false, true] {
                let c = certificate(game, values);
                let answer = verify(&c, None);
                assert_eq!(answer.accepted, Some(true), "{game}: {}", answer.reason);
                let sampled = verify(&c, Some(20));
                if c.hints.bound.is_some() {
                    assert_eq!(sampled.accepted, None, "{game}: {}", sampled.reason);
                    assert!(sampled.checked.starts_with("sample "), "{game}: {}", sampled.checked);
                }
            }
        }
    }

    #[test]
    fn claims_are_told_in_words() {
        let told = |game: &str| {
            let answer = verify(&certificate(game, false), None);
            assert_eq!(answer.accepted, Some(true), "{game}");
            answer.claim
        };
        assert_eq!(
            told("0.07"),
            "the value G(n) of heap n of 0.07 satisfies G(n + 34) = G(n) for all n >= 53, and with no smaller preperiod or period"
        );
        let game = read_heap_game("lasker").unwrap();
        let values = [0, 1, 2, 4, 3];
        let form = Form::periodic(Periodicity { preperiod: 1, period: 4, saltus: 4 }, &values);
        let answer = verify(&Session::new().form_certificate(&game, &form).unwrap(), None);
        assert_eq!(
            (answer.accepted, answer.claim.as_str()),
            (
                Some(true),
                "the value of every heap n of lasker is n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n"
            )
        );
    }

    #[test]
    fn a_changed_certificate_is_refused() {
        let c = certificate("0.07", true);
        let text = c.to_string();
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            for (at, digit) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
                let other = if digit == '0' { '1' } else { '0' };
                let mut changed: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
                changed[i].replace_range(at..at + 1, &other.to_string());
                let text = changed.join("\n");
                match text.parse::<Certificate>() {
                    // the mask is a hint that only costs time
                    Ok(other) if line.starts_with("split") => assert_eq!(verify(&other, None).accepted, Some(true)),
                    // 0.17 has moves of its own, and 1.07 has one that is none
                    Ok(other) => {
                        let query = VerifyQuery { certificate: other, sample: None, seed: 1 };
                        match Session::new().verify(&query, &Budget::default()) {
                            Ok(answer) => assert_eq!(answer.accepted, Some(false), "{text}"),
                            Err(_) => assert!(line.starts_with("subject"), "{text}"),
                        }
                    }
                    Err(_) => {}
                }
            }
        }
    }

    fn form(subject: &str, values: &[u64], period: u64, saltus: u64) -> Certificate {
        let preperiod = values.len() as u64 - period;
        let form = Candidate::Periodic { preperiod, period, saltus, values: values.to_vec() };
        Certificate { subject: subject.into(), claim: Claim::ClosedForm(form), hints: Hints::default() }
    }

    #[test]
    fn closed_forms_are_proved_or_refused_and_limits_leave_them_open() {
        let lasker = form("lasker", &[0, 1, 2, 4, 3], 4, 4);
        for sample in [None, Some(5)] {
            let answer = verify(&lasker, sample);
            assert_eq!((answer.accepted, answer.header.status), (Some(true), Status::Proved), "{}", answer.reason);
        }
        let wrong = verify(&form("lasker", &[0], 1, 1), None);
        assert_eq!((wrong.accepted, wrong.header.status), (Some(false), Status::Proved));
        assert_eq!(wrong.reason, "G(3) = 4, not 3: the option to leave 1 + 2 has this value");
        for budget in [
            Budget { memory: Some(4096), ..Budget::default() },
            Budget { positions: Some(8), ..Budget::default() },
            Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() },
        ] {
            let certificate = form("0.C", &[0, 0, 0], 2, 1);
            let answer = Session::new().verify(&VerifyQuery { certificate, sample: None, seed: 1 }, &budget).unwrap();
            assert_eq!(
                (answer.accepted, answer.header.status),
                (None, Status::Stopped),
                "{} {budget:?}",
                answer.reason
            );
            assert!(answer.stop.is_some() && !answer.reason.is_empty());
        }
    }

    #[test]
    fn what_the_checker_cannot_decide_is_no_wrong_claim() {
        let period = |subject: &str| Certificate {
            subject: subject.into(),
            claim: Claim::Period(Periodicity { preperiod: 0, period: 1, saltus: 0 }),
            hints: Hints::default(),
        };
        for (certificate, reason) in [
            (form("[take squares]", &[0], 1, 0), "squares are not regular"),
            (form("no such game", &[0], 1, 0), "not readable"),
            (form("treblecross", &[0], 1, 0), "not the heaps of its rule"),
            (period("[take squares]"), "no theorem"),
            (period("no such game"), "not readable"),
        ] {
            for sample in [None, Some(5)] {
                let query = VerifyQuery { certificate: certificate.clone(), sample, seed: 1 };
                let refusal = Session::new().verify(&query, &Budget::default()).unwrap_err();
                assert!(refusal.message.contains(reason), "{refusal}");
            }
        }
    }

    #[test]
    fn a_limit_leaves_the_question_open() {
        let c = certificate("0.165", false);
        let query = VerifyQuery { certificate: c, sample: None, seed: 1 };
        let budget = Budget { memory: Some(1000), ..Budget::default() };
        let answer = Session::new().verify(&query, &budget).unwrap();
        assert_eq!((answer.accepted, answer.header.status), (None, Status::Stopped));
        assert!(answer.stop.is_some() && !answer.reason.is_empty());
    }
}
