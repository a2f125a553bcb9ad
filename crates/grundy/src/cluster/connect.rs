//! Connections of each process with each, before the dataflow takes them over.
//!
//! A process listens at its own address, calls those before it and is called by those after it. Both ends say who they are and what
//! they solve: magic `grundyCL` (8 bytes), digest of the game (u64), number of processes and own number (u32 each), little-endian.
//! This keeps mistakes out, not enemies: whoever can reach the ports can take part.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream, ToSocketAddrs},
    thread,
    time::{Duration, Instant},
};

use super::{ClusterError, hosts::Hosts, watch::Watch};

const MAGIC: &[u8; 8] = b"grundyCL";

/// Time between two looks for the others.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a call, or the greeting of one, may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long nothing is said of those who are not there yet.
const QUIET: Duration = Duration::from_secs(3);

/// What a process says first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Greeting {
    digest: u64,
    processes: u32,
    process: u32,
}

impl Greeting {
    fn bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.digest.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.processes.to_le_bytes());
        bytes[20..].copy_from_slice(&self.process.to_le_bytes());
        bytes
    }

    /// None from somebody else.
    fn of_bytes(bytes: [u8; 24]) -> Option<Greeting> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let digest = u64::from(word(8)) | u64::from(word(12)) << 32;
        (&bytes[..8] == MAGIC).then(|| Greeting { digest, processes: word(16), process: word(20) })
    }

    fn read(from: &mut TcpStream) -> io::Result<Option<Greeting>> {
        let mut bytes = [0; 24];
        from.read_exact(&mut bytes)?;
        Ok(Greeting::of_bytes(bytes))
    }
}

/// A connection with each other process, none with itself; waits until all are there. `note` is told whom it waits for.
///
/// # Errors
/// The address cannot be listened at; another process solves something else; the watch's.
pub fn connect(
    hosts: &Hosts,
    process: usize,
    digest: u64,
    watch: &mut Watch,
    note: &mut dyn FnMut(&str),
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let mine = Greeting { digest, processes: hosts.len() as u32, process: process as u32 };
    let address = hosts.address(process);
    let cannot = |e: io::Error| ClusterError::Network {
        message: format!("process {process} cannot listen at {address}: {e}"),
        hint: "another program, or an earlier run, may have the port".into(),
    };
    let listener = TcpListener::bind(address).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    let mut streams: Vec<Option<TcpStream>> = (0..hosts.len()).map(|_| None).collect();
    let mut quiet_until = Instant::now() + QUIET;
    loop {
        let is_missing = |k: &usize| *k != process && streams[*k].is_none();
        let missing: Vec<usize> = (0..hosts.len()).filter(is_missing).collect();
        let Some(first) = missing.first() else {
            for stream in streams.iter().flatten() {
                // from now on silence is nothing unusual
                stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None)).map_err(cannot)?;
            }
            return Ok(streams);
        };
        if Instant::now() >= quiet_until {
            note(&format!("process {process} waits for process {first} at {}", hosts.address(*first)));
            quiet_until = Instant::now() + 20 * QUIET;
        }
        for other in missing.into_iter().filter(|k| *k < process) {
            streams[other] = call(hosts.address(other), mine, other)?;
        }
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    if let Some((other, stream)) = answer_call(stream, mine, hosts)? {
                        // one that was started again has a new one
                        streams[other] = Some(stream);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                // of a caller who is gone again
                Err(e) if matches!(e.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {}
                Err(e) => return Err(cannot(e)),
            }
        }
        watch.look()?;
        thread::sleep(PAUSE);
    }
}

/// Calls a process; None if it is not there yet.
fn call(address: &str, mine: Greeting, other: usize) -> Result<Option<TcpStream>, ClusterError> {
    let found = address.to_socket_addrs().map_err(|e| ClusterError::Network {
        message: format!("process {other}: {address}: {e}"),
        hint: "the file of hosts names it".into(),
    })?;
    for address in found {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else { continue };
        // whoever hangs up is called again
        let Ok(greeting) = prepare(&stream).and_then(|()| {
            stream.write_all(&mine.bytes())?;
            Greeting::read(&mut stream)
        }) else {
            return Ok(None);
        };
        return match greeting {
            Some(greeting) => same(greeting, mine, other).map(|()| Some(stream)),
            None => Err(ClusterError::Network {
                message: format!("another program listens at {address}, in place of process {other}"),
                hint: "choose another port for it in the file of hosts".into(),
            }),
        };
    }
    Ok(None)
}

/// Answers a call of a process that comes later; None if it was somebody else's.
fn answer_call(
    mut stream: TcpStream,
    mine: Greeting,
    hosts: &Hosts,
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    let greeting = stream.set_nonblocking(false).and_then(|()| prepare(&stream)).and_then(|()| {
        let greeting = Greeting::read(&mut stream)?;
        if greeting.is_some() {
            stream.write_all(&mine.bytes())?;
        }
        Ok(greeting)
    });
    let Ok(Some(greeting)) = greeting else { return Ok(None) };
    let other = greeting.process as usize;
    same(greeting, mine, other)?;
    Ok((greeting.process > mine.process && other < hosts.len()).then_some((other, stream)))
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))
}

/// Whether the other one takes part in the same run.
fn same(other: Greeting, mine: Greeting, process: usize) -> Result<(), ClusterError> {
    let differs = match () {
        () if other.processes != mine.processes => format!("is one of {}, not of {}", other.processes, mine.processes),
        () if other.digest != mine.digest => "has another graph, or another objective".into(),
        () if other.process as usize != process => format!("says that it is process {}", other.process),
        () => return Ok(()),
    };
    Err(ClusterError::Network {
        message: format!("process {process} {differs}"),
        hint: "start all processes with the same graph, objective, targets and hosts".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_told_apart() {
        let mine = Greeting { digest: u64::MAX - 7, processes: 3, process: 1 };
        assert_eq!(Greeting::of_bytes(mine.bytes()), Some(mine));
        assert_eq!(Greeting::of_bytes(*b"GET / HTTP/1.1\r\nHost: lo"), None);
        assert!(same(Greeting { process: 2, ..mine }, mine, 2).is_ok());
        let message = |other| same(other, mine, 2).unwrap_err().to_string();
        assert_eq!(message(Greeting { digest: 0, ..mine }), "process 2 has another graph, or another objective");
        assert_eq!(message(Greeting { processes: 2, ..mine }), "process 2 is one of 2, not of 3");
    }
}
