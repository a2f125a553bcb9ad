//! The file of hosts: which processes take part.

use std::net::TcpListener;

/// Most processes: each is connected with each.
const MOST: usize = 1024;

/// The addresses of all processes, in the order of their numbers.
///
/// # Examples
/// ```
/// use grundy::cluster::Hosts;
/// let hosts = Hosts::parse("# two on this machine\nlocalhost:4001\nlocalhost:4002  # the second\n").unwrap();
/// assert_eq!((hosts.len(), hosts.address(1)), (2, "localhost:4002"));
/// assert!(hosts.is_local(0));
/// let wrong = Hosts::parse("localhost:4001\nlocalhost:4001\n").unwrap_err();
/// assert_eq!(wrong, "line 2: localhost:4001 stands there already; every process needs a port of its own");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads one `host:port` a line; `#` begins a comment, empty lines count for nothing. A name that stands for several
    /// addresses is as good as the first of them that answers; an address of IPv6 stands in brackets.
    ///
    /// # Errors
    /// The line that is wrong and how, or that there is none.
    pub fn parse(text: &str) -> Result<Hosts, String> {
        let mut hosts: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let is_host = |host: &str| !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
            let fits = line.rsplit_once(':').is_some_and(|(host, port)| {
                let bare = !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
                is_host(host) && bare && port.parse::<u16>().is_ok_and(|p| p > 0)
            });
            if !fits {
                return Err(format!("line {number}: \"{line}\" is no host:port"));
            }
            if hosts.iter().any(|h| h == line) {
                return Err(format!(
                    "line {number}: {line} stands there already; every process needs a port of its own"
                ));
            }
            hosts.push(line.to_owned());
        }
        match hosts.len() {
            0 => Err("no host:port is in the file".into()),
            n if n > MOST => Err(format!("{n} processes; at most {MOST} can take part")),
            _ => Ok(Hosts(hosts)),
        }
    }

    /// The number of processes.
    #[allow(clippy::len_without_is_empty)] // there is always one
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The address of a process.
    ///
    /// # Panics
    /// Without such a process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// True if the host of this process is this machine: one may listen at its address.
    ///
    /// # Panics
    /// Without such a process.
    pub fn is_local(&self, process: usize) -> bool {
        let host = self.0[process].rsplit_once(':').map_or("", |(host, _)| host);
        let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        // any free port: the one of the line may be in use by the process itself
        TcpListener::bind((host, 0)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_hosts_or_wrong() {
        let good = Hosts::parse("\n  10.0.0.1:80 # a\n[::1]:4000\n#\nnode7.cluster:65535").unwrap();
        assert_eq!((good.len(), good.address(0), good.address(2)), (3, "10.0.0.1:80", "node7.cluster:65535"));
        for wrong in ["localhost", "localhost:", ":80", "a b:80", "a:0", "a:65536", "::1:80", "http://a:80"] {
            let why = Hosts::parse(&format!("a:1\n{wrong}")).unwrap_err();
            assert_eq!(why, format!("line 2: \"{wrong}\" is no host:port"));
        }
        assert!(Hosts::parse("# nobody\n").is_err());
    }

    #[test]
    fn this_machine_and_others() {
        let hosts = Hosts::parse("127.0.0.1:1\nlocalhost:2\n192.0.2.1:3").unwrap();
        assert!(hosts.is_local(0) && hosts.is_local(1));
        // an address of documentation, which no machine has
        assert!(!hosts.is_local(2));
    }
}
