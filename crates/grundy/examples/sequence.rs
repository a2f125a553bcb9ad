//! Times one engine on one rule: `sequence RULE N [portable|direct]`.
use grundy::{
    budget::Meter,
    plan::engine_for,
    sequence::{Engine, Sequence},
};
use grundy_core::notation::read_heap_game;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = read_heap_game(&args[1]).unwrap();
    let to: u64 = args[2].parse().unwrap();
    let engine = match args.get(3).map(String::as_str) {
        Some("portable") => Engine::RareCommonPortable,
        Some("direct") => Engine::Direct,
        _ => engine_for(game.rule()),
    };
    let start = std::time::Instant::now();
    let mut s = Sequence::new(game.rule(), engine);
    s.advance(to, &mut Meter::unlimited()).unwrap();
    let time = start.elapsed().as_secs_f64();
    let (mut a, mut b) = (0u16, 0u16);
    for n in 0..=to {
        a = a.wrapping_add(s.value(n).unwrap() as u16);
        b = b.wrapping_add(a);
    }
    let p = s.progress();
    println!(
        "{} {to} {:08X} {:.3} s {:.1} ns/value heaps {} {:?}",
        args[1],
        u32::from(b) << 16 | u32::from(a),
        time,
        time * 1e9 / p.heaps as f64,
        p.heaps,
        (p.rares, p.mask, s.proved())
    );
}
