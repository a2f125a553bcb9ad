//! A module as a ruleset; the crate's page says what it exports.

use std::{
    cell::Cell,
    fmt,
    ops::ControlFlow,
    sync::{Mutex, MutexGuard, PoisonError},
};

use grundy_core::rulesets::custom::{DynRuleset, DynSink, Fault};
use wasmtime::{Config, Engine, Instance, Memory, Module, ResourceLimiter, Store, Trap, TypedFunc};

/// Instructions of one call.
pub const FUEL: u64 = 100_000_000;

/// Bytes of a module's memory.
pub const MOST_MEMORY: usize = 64 << 20;

/// Most words of the options of one position.
const MOST_WORDS: u64 = 1 << 22;

/// Longest text of `grundy_about`.
const MOST_TEXT: usize = 1 << 12;

/// Why a module gives no ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// What is wrong.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

fn refused(message: impl Into<String>, hint: impl Into<String>) -> LoadError {
    LoadError { message: message.into(), hint: hint.into() }
}

/// A ruleset in a module.
pub struct WasmRuleset {
    name: String,
    about: String,
    numbers: Option<usize>,
    smaller: bool,
    engine: Engine,
    module: Module,
    /// None after a fault, which may have left anything behind.
    live: Mutex<Option<Live>>,
    fault: Mutex<Option<Fault>>,
}

impl fmt::Debug for WasmRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WasmRuleset").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Refuses memory beyond the limit, and notes that it did.
#[derive(Default)]
struct Limits {
    refused: bool,
}

impl ResourceLimiter for Limits {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > MOST_MEMORY {
            self.refused = true;
            return Err(wasmtime::Error::msg("too much memory"));
        }
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        self.refused |= desired > 1 << 20;
        Ok(!self.refused)
    }
}

/// A module in memory, ready to be called.
struct Live {
    store: Store<Limits>,
    memory: Memory,
    options: TypedFunc<(i32, i32), i32>,
    about: TypedFunc<(), i32>,
    buffer: TypedFunc<i32, i32>,
    /// Where positions are written, and how many numbers have room.
    room: (i32, usize),
}

/// Reads a module, binary or as text.
///
/// # Errors
/// What is wrong with it, and the remedy.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::custom::{DynRuleset, options_of};
/// let halves = grundy_wasm::load(include_bytes!("../examples/halves.wat")).unwrap();
/// assert_eq!(halves.name(), "halves");
/// assert_eq!(options_of(&halves, &[4]), [vec![vec![3]], vec![vec![2]], vec![vec![1]], vec![vec![2], vec![2]]]);
/// ```
pub fn load(bytes: &[u8]) -> Result<WasmRuleset, LoadError> {
    let mut config = Config::new();
    config.consume_fuel(true);
    // the same rules give the same options on all machines
    config.cranelift_nan_canonicalization(true);
    let engine =
        Engine::new(&config).map_err(|e| refused(format!("WebAssembly does not run here: {e}"), "use TOML"))?;
    let module = Module::new(&engine, bytes).map_err(|e| {
        refused(format!("this is no WebAssembly module: {e:#}"), "see docs/own-rules.md for an example")
    })?;
    if let Some(import) = module.imports().next() {
        return Err(refused(
            format!("the module imports {}.{}, and rules are given nothing", import.module(), import.name()),
            "build it without imports: no system interface, no printing",
        ));
    }
    let mut live = Live::new(&engine, &module)?;
    let text = live.text()?;
    let value = |key: &str| {
        text.lines().find_map(|line| line.split_once(' ').filter(|(k, _)| *k == key)).map(|(_, v)| v.trim().to_owned())
    };
    let name = value("name").ok_or_else(|| {
        refused("the text of grundy_about names no rules", "it holds lines such as: name my, and ends with a byte 0")
    })?;
    let numbers = match value("numbers").as_deref() {
        None | Some("any") => None,
        Some(n) => Some(n.parse().ok().filter(|n| (1..=1 << 16).contains(n)).ok_or_else(|| {
            refused(format!("\"numbers {n}\" in the text of grundy_about is no number"), "write for example: numbers 1")
        })?),
    };
    let smaller = value("smaller").as_deref() == Some("yes");
    if smaller && numbers != Some(1) {
        return Err(refused("\"smaller yes\" is for positions of one number", "add a line: numbers 1"));
    }
    let about = value("about").unwrap_or_default();
    let (live, fault) = (Mutex::new(Some(live)), Mutex::new(None));
    Ok(WasmRuleset { name, about, numbers, smaller, engine, module, live, fault })
}

impl Live {
    fn new(engine: &Engine, module: &Module) -> Result<Live, LoadError> {
        let mut store = Store::new(engine, Limits::default());
        store.limiter(|limits| limits);
        store.set_fuel(FUEL).map_err(|e| refused(e.to_string(), "use TOML"))?;
        let instance = Instance::new(&mut store, module, &[]).map_err(|e| {
            let fault = fault_of(&e, store.data());
            refused(format!("the module does not start: {}", fault.message), "leave its start function out")
        })?;
        let missing = |what: &str| {
            refused(
                format!("the module exports no {what}"),
                "rules export memory and three functions: see docs/own-rules.md",
            )
        };
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| missing("memory"))?;
        let about =
            instance.get_typed_func(&mut store, "grundy_about").map_err(|_| missing("grundy_about() -> i32"))?;
        let buffer =
            instance.get_typed_func(&mut store, "grundy_buffer").map_err(|_| missing("grundy_buffer(i32) -> i32"))?;
        let options = instance
            .get_typed_func(&mut store, "grundy_options")
            .map_err(|_| missing("grundy_options(i32, i32) -> i32"))?;
        Ok(Live { store, memory, options, about, buffer, room: (0, 0) })
    }

    fn text(&mut self) -> Result<String, LoadError> {
        let at = self.about.call(&mut self.store, ()).map_err(|e| {
            let fault = fault_of(&e, self.store.data());
            refused(format!("grundy_about failed: {}", fault.message), "it gives the address of a text")
        })?;
        let data = self.memory.data(&self.store);
        let text = data.get(at as u32 as usize..).unwrap_or_default();
        let end = text.iter().take(MOST_TEXT).position(|b| *b == 0);
        let text = end.and_then(|end| std::str::from_utf8(&text[..end]).ok());
        text.map(str::to_owned).ok_or_else(|| {
            let what = format!("grundy_about gives no text of at most {MOST_TEXT} bytes");
            refused(what, "it gives the address of a text in UTF-8 that ends with a byte 0")
        })
    }

    /// Asks for the options of a position and copies the answer.
    fn ask(&mut self, position: &[u64], words: &mut Vec<u64>) -> Result<(), Fault> {
        let result = self.call(position, words);
        result.map_err(|e| match e {
            Asked::Wasm(e) => fault_of(&e, self.store.data()),
            Asked::Wrong(what) => Fault { is_limit: false, message: what },
        })
    }

    fn call(&mut self, position: &[u64], words: &mut Vec<u64>) -> Result<(), Asked> {
        self.store.set_fuel(FUEL)?;
        let count = i32::try_from(position.len()).map_err(|_| Asked::Wrong("the position is too long".into()))?;
        if self.room.1 < position.len() || self.room.1 == 0 {
            self.room = (self.buffer.call(&mut self.store, count.max(1))?, position.len().max(1));
        }
        let at = self.room.0 as u32 as usize;
        let bytes = self.memory.data_mut(&mut self.store).get_mut(at..at + 8 * position.len());
        let bytes = bytes.ok_or_else(|| Asked::Wrong("grundy_buffer gives room outside the memory".into()))?;
        for (to, n) in bytes.chunks_exact_mut(8).zip(position) {
            to.copy_from_slice(&n.to_le_bytes());
        }
        let answer = self.options.call(&mut self.store, (self.room.0, count))? as u32 as usize;
        let data = self.memory.data(&self.store);
        let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
        let outside = || Asked::Wrong("grundy_options gives an address outside the memory".into());
        let total = word(data.get(answer..answer + 8).ok_or_else(outside)?);
        if total > MOST_WORDS {
            let what = format!("grundy_options answers {total} words, and {MOST_WORDS} are the most");
            return Err(Asked::Wrong(what));
        }
        let body = data.get(answer + 8..answer + 8 + 8 * total as usize).ok_or_else(outside)?;
        words.clear();
        words.extend(body.chunks_exact(8).map(word));
        Ok(())
    }
}

enum Asked {
    Wasm(wasmtime::Error),
    Wrong(String),
}

impl From<wasmtime::Error> for Asked {
    fn from(error: wasmtime::Error) -> Self {
        Asked::Wasm(error)
    }
}

fn fault_of(error: &wasmtime::Error, limits: &Limits) -> Fault {
    match error.downcast_ref::<Trap>() {
        _ if limits.refused => {
            let message = format!("the rules asked for more than {} MiB of memory", MOST_MEMORY >> 20);
            Fault { is_limit: true, message }
        }
        Some(Trap::OutOfFuel) => {
            Fault { is_limit: true, message: format!("the rules ran for more than {FUEL} instructions in one call") }
        }
        Some(trap) => Fault { is_limit: false, message: format!("the rules broke off: {trap}") },
        None => Fault { is_limit: false, message: format!("the rules broke off: {error}") },
    }
}

thread_local! {
    /// The last answer's room, for the next one.
    static SPARE: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WasmRuleset {
    fn broke(&self, fault: Fault) -> ControlFlow<()> {
        locked(&self.fault).get_or_insert(fault);
        ControlFlow::Break(())
    }

    fn ask(&self, position: &[u64], words: &mut Vec<u64>) -> Result<(), Fault> {
        let mut guard = locked(&self.live);
        let live = match &mut *guard {
            Some(live) => live,
            none => {
                let fresh = Live::new(&self.engine, &self.module);
                none.insert(fresh.map_err(|e| Fault { is_limit: false, message: e.message })?)
            }
        };
        let asked = live.ask(position, words);
        if asked.is_err() {
            *guard = None;
        }
        asked
    }

    /// Sends the options that the words are; the place of the first word that is wrong.
    fn send(words: &[u64], sink: &mut dyn DynSink) -> Result<ControlFlow<()>, usize> {
        let mut at = 0;
        while at < words.len() {
            let parts = words[at];
            at += 1;
            for _ in 0..parts {
                let length = usize::try_from(*words.get(at).ok_or(at)?).map_err(|_| at)?;
                let part = length.checked_add(at + 1).and_then(|end| words.get(at + 1..end)).ok_or(at)?;
                sink.part(part);
                at += 1 + length;
            }
            if sink.option().is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl DynRuleset for WasmRuleset {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        // the module is not locked while the sink works, which may ask it again
        let mut words = SPARE.take();
        let asked = self.ask(position, &mut words);
        let sent = match asked {
            Ok(()) => Self::send(&words, sink).unwrap_or_else(|at| {
                let message = format!("word {} of the answer of grundy_options is no part of an option", at + 1);
                self.broke(Fault { is_limit: false, message })
            }),
            Err(fault) => self.broke(fault),
        };
        SPARE.set(words);
        sent
    }

    fn dimension(&self) -> Option<usize> {
        self.numbers
    }

    fn is_heap(&self) -> bool {
        self.numbers == Some(1)
    }

    fn rank(&self, position: &[u64]) -> Option<u64> {
        if self.smaller { position.first().copied() } else { None }
    }

    fn unrank(&self, rank: u64) -> Option<Vec<u64>> {
        self.smaller.then(|| vec![rank])
    }

    fn take_fault(&self) -> Option<Fault> {
        locked(&self.fault).take()
    }
}

#[cfg(test)]
mod tests;
