use super::*;
use grundy_core::rulesets::HeapGame;

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("grundy-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn game(text: &str) -> std::sync::Arc<HeapGame> {
    read_heap_game(text).unwrap()
}

fn table(len: u64) -> ValueTable {
    (0..len).map(|n| n * n % 251 + if n > 5000 { 300 } else { 0 }).collect()
}

fn refusal(dir: &Path, rule: &str) -> String {
    match Checkpoint::open(dir, &game(rule)) {
        Err(StoreError::Refused { message, .. }) => message,
        other => panic!("{other:?}"),
    }
}

fn missing(dir: &Path) -> String {
    match Checkpoint::open(dir, &game("0.6")) {
        Err(StoreError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn saves_and_reads_back_with_few_segments() {
    let scratch = Scratch::new("few");
    let mut checkpoint = Checkpoint::create(&scratch.0, &game("kayles")).unwrap();
    for step in 1..=200 {
        checkpoint.save(&table(step * 37)).unwrap();
        assert_eq!(checkpoint.values(), step * 37);
    }
    checkpoint.save(&table(10)).unwrap();
    assert_eq!(checkpoint.values(), 7400);
    drop(checkpoint);
    assert!(names(&scratch.0).unwrap().len() <= 12);
    // the same rule under another name
    let (checkpoint, read) = Checkpoint::open(&scratch.0, &game("0.77")).unwrap();
    assert_eq!((checkpoint.values(), read), (7400, table(7400)));
}

#[test]
fn one_run_at_a_time() {
    let scratch = Scratch::new("lock");
    let first = Checkpoint::create(&scratch.0, &game("0.6")).unwrap();
    for second in [
        Checkpoint::open(&scratch.0, &game("0.6")).map(|_| ()),
        Checkpoint::create(&scratch.0, &game("0.6")).map(|_| ()),
    ] {
        assert!(matches!(&second, Err(StoreError::Io { error, .. }) if error.to_string().contains("another run")));
    }
    drop(first);
    let begun = Checkpoint::create(&scratch.0, &game("0.6"));
    assert!(
        matches!(&begun, Err(StoreError::Refused { message, .. }) if message.contains("holds a checkpoint already"))
    );
    assert!(Checkpoint::open(&scratch.0, &game("0.6")).is_ok());
}

#[test]
fn what_is_in_the_way_is_refused() {
    let scratch = Scratch::new("way");
    drop(Checkpoint::create(&scratch.0, &game("0.6")).unwrap());
    let again = Checkpoint::create(&scratch.0, &game("0.6")).unwrap_err();
    assert!(matches!(&again, StoreError::Refused { hint, .. } if hint.contains("--resume")), "{again:?}");
    let foreign = Scratch::new("foreign");
    fs::create_dir(&foreign.0).unwrap();
    fs::write(foreign.0.join("letter.txt"), "dear").unwrap();
    assert!(matches!(Checkpoint::create(&foreign.0, &game("0.6")), Err(StoreError::Refused { .. })));
    assert!(matches!(Checkpoint::open(&foreign.0, &game("0.6")), Err(StoreError::Refused { .. })));
    assert!(matches!(Checkpoint::open(&scratch.0.join("none"), &game("0.6")), Err(StoreError::Io { .. })));
}

#[test]
fn leftovers_are_removed_and_an_empty_directory_is_begun() {
    let scratch = Scratch::new("leftovers");
    fs::create_dir(&scratch.0).unwrap();
    fs::write(scratch.0.join("manifest.tmp"), "grundy che").unwrap();
    let (mut checkpoint, read) = Checkpoint::open(&scratch.0, &game("0.6")).unwrap();
    assert!(read.is_empty());
    checkpoint.save(&table(100)).unwrap();
    drop(checkpoint);
    for name in ["values.tmp", "manifest.tmp", "values-100-200.grundy"] {
        fs::write(scratch.0.join(name), "half").unwrap();
    }
    fs::write(scratch.0.join("notes.txt"), "mine").unwrap();
    let (_open, read) = Checkpoint::open(&scratch.0, &game("0.6")).unwrap();
    assert_eq!(read, table(100));
    let mut left = names(&scratch.0).unwrap();
    left.sort();
    assert_eq!(left, ["lock", "manifest", "notes.txt", "values-0-100.grundy"]);
}

#[test]
fn damage_is_refused_by_its_reason() {
    let scratch = Scratch::new("damage");
    let mut checkpoint = Checkpoint::create(&scratch.0, &game("0.6")).unwrap();
    checkpoint.save(&table(6000)).unwrap();
    drop(checkpoint);
    assert!(refusal(&scratch.0, "0.77").contains("holds values of 0.6, not of 0.77"));
    let path = scratch.0.join("values-0-6000.grundy");
    let good = fs::read(&path).unwrap();
    let with = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        refusal(&scratch.0, "0.6")
    };
    assert!(with(&good[..good.len() - 1]).contains("truncated"));
    assert!(with(&good[..5]).contains("no segment"));
    assert!(with(b"some other text that is long enough").contains("no segment"));
    let flip = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        with(&bytes)
    };
    assert!(flip(8).contains("version 5, this program reads 1"));
    assert!(flip(20).contains("does not agree"));
    assert!(flip(good.len() / 2).contains("damaged"));
    assert!(flip(good.len() - 3).contains("damaged"));
    fs::remove_file(&path).unwrap();
    assert!(missing(&scratch.0).contains("segment is missing"));
    fs::write(&path, &good).unwrap();
    let manifest = scratch.0.join("manifest");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("checkpoint 1", "checkpoint 9")).unwrap();
    assert!(refusal(&scratch.0, "0.6").contains("version 9"));
    fs::write(&manifest, &text[..text.len() - 4]).unwrap();
    assert!(refusal(&scratch.0, "0.6").contains("truncated"));
    fs::remove_file(&manifest).unwrap();
    assert!(missing(&scratch.0).contains("manifest is missing"));
    fs::write(&manifest, &text).unwrap();
    assert!(Checkpoint::open(&scratch.0, &game("0.6")).is_ok());
}
