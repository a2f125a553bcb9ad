//! `grundy sequence`

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use grundy::{
    Session,
    answer::Status,
    budget::{Budget, Meter},
    closed_form::{DISCOVER_TO, DiscoverAnswer, DiscoverQuery},
    formats::{
        checksum::Checksum,
        json,
        stream::{StreamWriter, Style, ValueSink},
    },
    period::{PeriodAnswer, PeriodQuery, default_to},
    plot::PlotBuilder,
    run::{Ending, Fault, Keeper, Run},
    store::Checkpoint,
};
use grundy_core::rulesets::{AnyRuleset, HeapGame};

use crate::{
    args::{SequenceArgs, SequenceFormat},
    failure::Failure,
    files::Files,
    limits,
    output::Output,
    progress::Reporter,
    render::{self, plot},
};

pub fn run(args: SequenceArgs) -> Result<ExitCode, Failure> {
    let json = matches!(args.format, SequenceFormat::Json | SequenceFormat::Ndjson);
    let files = Files::with(&args.own).map_err(|f| f.in_json(json))?;
    if let Ok(AnyRuleset::Custom(own)) = files.any_ruleset(&args.rule) {
        return super::rules::sequence(&args, &own).map_err(|f| f.in_json(json));
    }
    let (mut job, out) = prepare(&args, &files).map_err(|f| f.in_json(json))?;
    // an error is no JSON object where it would follow half of another
    let in_json = |f: Failure| f.in_json(json && args.out.is_some());
    let ending = job.write(out).map_err(in_json)?;
    if let Some(path) = &args.plot {
        job.plot(path, &ending).map_err(in_json)?;
    }
    if let Some(stop) = &ending.stop {
        let _ = writeln!(io::stderr(), "{stop}");
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    let Job { game, run, meter, .. } = job;
    if args.prove { prove(&args, game, run, &meter) } else { Ok(ExitCode::SUCCESS) }
}

/// Last heap of the values.
fn last_heap(args: &SequenceArgs) -> u64 {
    args.to.unwrap_or(100)
}

/// Says which period is proved; beside the values for people, apart from those for machines.
fn prove(args: &SequenceArgs, game: Arc<HeapGame>, run: Run, meter: &Meter) -> Result<ExitCode, Failure> {
    let mut session = Session::new();
    if let Some(sequence) = run.into_sequence() {
        session.adopt(&game, sequence);
    }
    // automata may prove what was seen; more values than the default are not for this command to ask for
    let query = PeriodQuery { to: Some(args.to.unwrap_or_else(|| default_to(&game))), game, prove: true };
    let answer = session.period(&query, &meter.rest());
    let form = closed_form(&mut session, &query.game, &answer, &meter.rest());
    let mut text = Vec::new();
    render::period::write(&mut text, &answer)?;
    if let Some(form) = &form {
        super::discover::text(&mut text, form)?;
    }
    if args.format == SequenceFormat::Text && args.out.is_none() {
        let mut out = limits::stdout();
        writeln!(out)?;
        out.write_all(&text)?;
        out.flush()?;
    } else {
        io::stderr().lock().write_all(&text)?;
    }
    if let (Some(form), Some(path)) = (form, &args.certificate) {
        let failed = super::discover::certify(&mut session, &query.game, form.form.as_ref(), Some(path))?;
        return Ok(failed.unwrap_or(ExitCode::SUCCESS));
    }
    super::period::finish(&mut session, &query, &answer, args.certificate.as_deref(), false)
}

/// A closed form with a proof, for values without a proved period that no theorem can prove one of either.
fn closed_form(
    session: &mut Session,
    game: &Arc<HeapGame>,
    period: &PeriodAnswer,
    budget: &Budget,
) -> Option<DiscoverAnswer> {
    let is_known = period.header.status == Status::Proved || game.rule().period_theorem().is_some();
    if is_known || period.stop.is_some() {
        return None;
    }
    // beside the values, which were asked for, this is an extra
    let time = budget.time.map_or(EXTRA, |t| t.min(EXTRA));
    let budget = Budget { time: Some(time), ..budget.clone() };
    let answer = session.discover(&DiscoverQuery { game: game.clone(), to: DISCOVER_TO }, &budget);
    (answer.header.status == Status::Proved).then_some(answer)
}

/// Longest time of the search for a closed form.
const EXTRA: Duration = Duration::from_secs(30);

/// The format is asked of a build that has none of it.
fn no_parquet() -> Failure {
    Failure::usage("this build of grundy has no Parquet")
        .hint("build it with cargo install --path crates/grundy-cli --features parquet, or write --format csv")
}

fn prepare<'a>(args: &'a SequenceArgs, files: &Files) -> Result<(Job<'a>, Output), Failure> {
    if args.width.is_some() && args.format != SequenceFormat::Raw {
        return Err(Failure::usage("--width belongs to --format raw").hint("leave --width out, or add --format raw"));
    }
    if args.offset.is_some() && args.format != SequenceFormat::Bfile {
        return Err(
            Failure::usage("--offset belongs to --format bfile").hint("leave --offset out, or add --format bfile")
        );
    }
    if args.format == SequenceFormat::Parquet && !cfg!(feature = "parquet") {
        return Err(no_parquet());
    }
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let game = files.heap_game(&args.rule)?;
    let every = limits::parse_time(&args.checkpoint_every)?;
    let out = Output::open(args.out.as_deref())?;
    let meter = Meter::new(&budget);
    let (run, keeper) = match &args.checkpoint {
        None => (Run::new(game.clone()), None),
        Some(dir) if args.resume => {
            if !dir.exists() {
                let missing = Failure::file(dir, &io::Error::new(io::ErrorKind::NotFound, "no such directory"));
                return Err(missing.hint("leave --resume out to begin a new run"));
            }
            let (checkpoint, table) = Checkpoint::open(dir, &game)?;
            (Run::resume(game.clone(), table), Some(Keeper::new(checkpoint, every)))
        }
        Some(dir) => (Run::new(game.clone()), Some(Keeper::new(Checkpoint::create(dir, &game)?, every))),
    };
    let reporter = Reporter::new(args.progress, last_heap(args), run.known(last_heap(args)));
    Ok((Job { args, game, run, keeper, meter, reporter }, out))
}

/// One run and what belongs to it.
struct Job<'a> {
    args: &'a SequenceArgs,
    game: Arc<HeapGame>,
    run: Run,
    keeper: Option<Keeper>,
    meter: Meter,
    reporter: Reporter,
}

impl Job<'_> {
    fn write(&mut self, mut out: Output) -> Result<Ending, Failure> {
        let style = match self.args.format {
            SequenceFormat::Text => Style::Text,
            SequenceFormat::Csv => Style::Csv,
            SequenceFormat::Ndjson => Style::Ndjson,
            SequenceFormat::Bfile => Style::BFile { offset: self.args.offset.unwrap_or(0) },
            SequenceFormat::Json => return self.write_json(out),
            SequenceFormat::Raw => return self.write_raw(out),
            SequenceFormat::Parquet => return self.write_parquet(out),
            SequenceFormat::Checksum => {
                let mut sum = Checksum::default();
                let ending = self.complete(&mut sum)?;
                if ending.count > 0 {
                    writeln!(out, "{sum}").map_err(|e| self.failed(e))?;
                }
                out.end(ending.stop.is_none()).map_err(|e| self.failed(e))?;
                return Ok(ending);
            }
        };
        let mut writer = StreamWriter::new(out, style);
        let ending = self.complete(&mut writer)?;
        writer.finish().and_then(|out| out.end(ending.stop.is_none())).map_err(|e| self.failed(e))?;
        Ok(ending)
    }

    /// The head comes before the values, and what is known only at the end after them.
    fn write_json(&mut self, mut out: Output) -> Result<Ending, Failure> {
        let none = Ending { count: 0, stop: None };
        let head = json::sequence_head(self.game.name(), &self.run.header(&none, &self.meter));
        out.write_all(head.as_bytes()).map_err(|e| self.failed(e))?;
        let mut writer = StreamWriter::new(out, Style::JsonList);
        let ending = self.complete(&mut writer)?;
        let mut out = writer.finish().map_err(|e| self.failed(e))?;
        let header = self.run.header(&ending, &self.meter);
        let tail = json::sequence_tail(self.run.period(), &header, ending.stop.as_ref());
        writeln!(out, "{tail}").map_err(|e| self.failed(e))?;
        out.end(ending.stop.is_none()).map_err(|e| self.failed(e))?;
        Ok(ending)
    }

    /// The width is that of the largest value, so a first pass finds it.
    fn write_raw(&mut self, out: Output) -> Result<Ending, Failure> {
        let mut sum = Checksum::default();
        let mut ending = self.complete(&mut sum)?;
        let needed = [1, 2, 4].into_iter().find(|w| sum.max() >> (8 * w) == 0).unwrap_or(8);
        let width = self.args.width.as_ref().and_then(|w| w.parse().ok()).unwrap_or(needed);
        if width < needed {
            return Err(Failure::usage(format!("the value {} does not fit in --width {width}", sum.max()))
                .hint(format!("write --width {needed}")));
        }
        let mut writer = StreamWriter::new(out, Style::Raw { width });
        // what a stopped run found is written whole
        let mut meter = if ending.stop.is_some() { Meter::unlimited() } else { Meter::new(&self.meter.rest()) };
        let (count, stop) = self.run.emit(0, ending.count, &mut writer, &mut meter).map_err(|e| self.failed(e))?;
        let is_whole = ending.stop.is_none() && stop.is_none();
        writer.finish().and_then(|out| out.end(is_whole)).map_err(|e| self.failed(e))?;
        if self.reporter.is_watched() {
            let _ = writeln!(io::stderr(), "{count} values of {width} bytes each, little-endian");
        }
        if let Some(stop) = stop {
            ending = Ending { count, stop: Some(stop.reached(format!("{count} values were written"))) };
        }
        Ok(ending)
    }

    /// What is known only at the end stands in the metadata, which a Parquet file has there.
    #[cfg(feature = "parquet")]
    fn write_parquet(&mut self, out: Output) -> Result<Ending, Failure> {
        use grundy::formats::parquet::ParquetWriter;
        let none = Ending { count: 0, stop: None };
        let convention = self.run.header(&none, &self.meter).convention;
        let notes = [("rule", self.game.name()), ("convention", convention.word())];
        let mut writer = ParquetWriter::new(out, &notes).map_err(|e| self.failed(e))?;
        let ending = self.complete(&mut writer)?;
        let header = self.run.header(&ending, &self.meter);
        let stop = ending.stop.as_ref().map(ToString::to_string);
        let mut notes = vec![("status", header.status.word()), ("method", &header.method)];
        notes.extend(stop.as_deref().map(|s| ("stop", s)));
        writer.finish(&notes).and_then(|out| out.end(ending.stop.is_none())).map_err(|e| self.failed(e))?;
        Ok(ending)
    }

    #[cfg(not(feature = "parquet"))]
    fn write_parquet(&mut self, _: Output) -> Result<Ending, Failure> {
        Err(no_parquet())
    }

    fn complete(&mut self, sink: &mut dyn ValueSink) -> Result<Ending, Failure> {
        let mut last = None;
        let reporter = &mut self.reporter;
        let mut report = |progress: &_| {
            last = Some(*progress);
            reporter.report(progress);
        };
        let ending = self.run.complete(last_heap(self.args), &mut self.meter, sink, self.keeper.as_mut(), &mut report);
        self.reporter.finish(last.as_ref());
        ending.map_err(|fault| match fault {
            Fault::Output(error) => self.failed(error),
            Fault::Checkpoint(error) => error.into(),
        })
    }

    fn plot(&self, path: &Path, ending: &Ending) -> Result<(), Failure> {
        let failed = |e| Failure::file(path, &e);
        let mut out = Output::open(Some(path))?;
        let mut builder = PlotBuilder::new(ending.count, plot::COLUMNS, self.run.engine().and_then(|e| e.mask));
        // what a stopped run found is drawn whole
        let mut meter = if ending.stop.is_some() { Meter::unlimited() } else { Meter::new(&self.meter.rest()) };
        let (_, stop) = self.run.emit(0, ending.count, &mut builder, &mut meter).map_err(failed)?;
        let is_whole = ending.stop.is_none() && stop.is_none();
        let series = builder.finish();
        let title = format!("Grundy values of {}, n = 0 to {}", self.game.name(), series.count.saturating_sub(1));
        let note = match (self.run.period(), self.game.closed_form()) {
            (Some(period), _) => format!("{period} (proved)"),
            (None, Some(form)) => form.theorem().to_owned(),
            (None, None) => String::new(),
        };
        out.write_all(plot::svg(&series, &title, &note).as_bytes()).and_then(|()| out.end(is_whole)).map_err(failed)
    }

    /// An error of the output.
    fn failed(&self, error: io::Error) -> Failure {
        match &self.args.out {
            Some(path) => Failure::file(path, &error),
            None => error.into(),
        }
    }
}
