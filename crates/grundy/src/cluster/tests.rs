use std::{fs, net::TcpListener, path::Path, thread};

use grundy_core::theory::Convention;

use super::*;
use crate::{
    formats::graph::{GraphFile, Names},
    graph::Vertices,
    parity::{Shape, generate},
    store::Seal,
};

/// The winners that two processes find, which begin from what is in a directory.
fn winners(query: &GraphQuery, dir: &Path) -> Solution {
    let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let hosts = Hosts::parse(&listeners.map(|l| l.local_addr().unwrap().to_string()).join("\n")).unwrap();
    let run = |process| {
        let every = Duration::from_secs(5);
        let seat = Seat { hosts: hosts.clone(), process, checkpoint: Some(dir.into()), every, lost: Arc::default() };
        answer(query.clone(), true, &seat, &Budget::default(), &mut |_| ()).unwrap()
    };
    let found = thread::scope(|scope| {
        scope.spawn(|| assert!(run(1).is_none()));
        run(0).unwrap()
    });
    assert_eq!(found.verified, Some(true));
    let Some(Vertices::Winners(solution)) = found.vertices else { panic!("no winners") };
    solution
}

/// What the file of a process was after an earlier round.
fn earlier(bytes: &[u8], round: u32) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut bytes = bytes.to_vec();
    let numbers = word(40) as usize;
    let bits = 48 + 4 * numbers;
    for at in (48..bits).step_by(4) {
        if u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) / 2 > round {
            bytes[at..at + 4].fill(0);
        }
    }
    bytes[36..40].copy_from_slice(&round.to_le_bytes());
    let end = bytes.len() - 8;
    // of the attractor, only what was in the later one too
    let seal = Seal::of(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&seal);
    bytes
}

#[test]
fn processes_that_saved_different_rounds() {
    let dir = std::env::temp_dir().join(format!("grundy-rounds-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    for (shape, vertices) in [(Shape::Chain, 60), (Shape::Random, 500)] {
        let game = generate(shape, vertices, 2, Objective::Buchi, 5).unwrap();
        let mut file = GraphFile::new(game.graph().clone(), Names::Numbered { first: 0 });
        file.owner = Some(game.owner().to_vec());
        file.priority = Some(game.priority().iter().map(|p| u64::from(*p)).collect());
        let (objective, convention) = (GraphObjective::Game(Objective::Buchi), Convention::Normal);
        let query = GraphQuery { file, objective, convention, tokens: vec![], verify: true, certificate: None };
        let right = winners(&query, &dir);
        let paths = [0, 1].map(|process| dir.join(saved::name(process, 2)));
        let last = [0, 1].map(|process| fs::read(&paths[process]).unwrap());
        let rounds = u32::from_le_bytes(last[0][36..40].try_into().unwrap());
        assert!(rounds > 1 || shape == Shape::Random, "a chain has many rounds, a random game a few");
        let (one, less) = (rounds.min(1), rounds - 1);
        for (first, second) in [(0, rounds), (rounds, 0), (one, less), (less, rounds), (rounds, one)] {
            fs::write(&paths[0], earlier(&last[0], first)).unwrap();
            fs::write(&paths[1], earlier(&last[1], second)).unwrap();
            assert_eq!(winners(&query, &dir), right, "{shape:?} {first} {second}");
            // and the files are what they were
            assert_eq!([0, 1].map(|process| fs::read(&paths[process]).unwrap()), last);
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
