//! What the catalogue says about each named ruleset: rules, positions, theory, sources, judge problems.

/// One named ruleset, for `grundy games`.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in the notation, lower case.
    pub name: &'static str,
    /// The code that it is an instance of, where it is one.
    pub code: Option<&'static str>,
    /// How it is written, parameters and position.
    pub usage: &'static str,
    /// The rules.
    pub rules: &'static str,
    /// What is known, in one or two lines.
    pub theory: &'static str,
    /// An example that `solve` accepts.
    pub example: &'static str,
    /// Keys of `SOURCES.md`.
    pub sources: &'static [&'static str],
    /// Problems of online judges that ask for it.
    pub judge: &'static [&'static str],
}

/// Every named ruleset, in the order in which a newcomer meets them.
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

/// The entry of `name` (lower case, underscores).
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|e| e.name == name)
}

/// Names that the notation knows and this version does not play yet.
pub const LATER: &[&str] = &[
    "chomp",
    "cram",
    "coins",
    "mock_turtles",
    "turning_turtles",
    "ruler",
    "twins",
    "triplets",
    "quadruplets",
    "quintuplets",
    "moebius",
    "mogul",
    "moidores",
    "motley",
    "rulerette",
    "turnips",
    "grunt",
    "sym",
    "ruler_fives",
    "mock_turtle_fives",
    "triplet_fives",
    "tartan",
    "node_kayles",
    "arc_kayles",
    "geography",
    "vertex_edge_deletion",
    "green_hackenbush",
    "poset",
    "subset_takeaway",
    "digraph",
];

const ENTRIES: &[Entry] = &[
    Entry {
        name: "nim",
        code: Some("0.[3]"),
        usage: "nim(3, 5, 7), short: 3 5 7",
        rules: "Take any positive number of objects from one heap.",
        theory: "A heap of n has value n; a position is lost in normal play when the xor of the heaps is 0. Misère play is \
                 the same until one heap bigger than 1 is left.",
        example: "nim(3, 5, 7)",
        sources: &["Bou02", "Spr35", "Gru39"],
        judge: &[
            "hdu-1849",
            "hdu-1850",
            "hdu-2176",
            "poj-2234",
            "poj-2975",
            "cses-1730",
            "luogu-p2197",
            "hdu-1907",
            "hackerrank-misere-nim",
        ],
    },
    Entry {
        name: "lasker",
        code: Some("4.[3]"),
        usage: "lasker(2, 5, 7)",
        rules: "Take any positive number from one heap, or split one heap into two non-empty heaps.",
        theory: "Value of n: n + 1 if n leaves 3 modulo 4, n - 1 if n > 0 is divisible by 4, else n.",
        example: "lasker(2, 5, 7)",
        sources: &["Las31", "WW"],
        judge: &["hdu-3032"],
    },
    Entry {
        name: "kayles",
        code: Some("0.77"),
        usage: "kayles(15)",
        rules: "Take one or two objects from a heap and, if you like, split what is left into two heaps: knock down one \
                pin or two neighbouring pins of a row.",
        theory: "Values have period 12 from heap 71 on (Guy and Smith). Misère play was solved by Sibert and Conway.",
        example: "kayles(15)",
        sources: &["GS56", "SC92", "WW"],
        judge: &["poj-2484"],
    },
    Entry {
        name: "dawsons_kayles",
        code: Some("0.07"),
        usage: "dawsons_kayles(12)",
        rules: "Take exactly two objects from a heap and, if you like, split what is left into two heaps: two \
                neighbouring pins of a row.",
        theory: "Values have period 34 from heap 53 on. Misère play is an open problem.",
        example: "dawsons_kayles(12)",
        sources: &["GS56", "WW"],
        judge: &["hdu-4664", "leetcode-294", "pe-306"],
    },
    Entry {
        name: "dawsons_chess",
        code: Some("0.137"),
        usage: "dawsons_chess(11)",
        rules: "A row of pins: take one pin together with its neighbours. As a code: one alone, two leaving at most one \
                heap, three leaving at most two.",
        theory: "The same as Dawson's Kayles one pin further: heap n here has the value of heap n + 1 there. Period 34.",
        example: "dawsons_chess(11)",
        sources: &["GS56", "WW"],
        judge: &[],
    },
    Entry {
        name: "grundy_game",
        code: Some("4!.0"),
        usage: "grundy_game(20)",
        rules: "Split a heap into two heaps of different size.",
        theory: "No period is known after more than 2^35 values; whether there is one is open.",
        example: "grundy_game(20)",
        sources: &["Gru39", "WW"],
        judge: &["cses-2207"],
    },
    Entry {
        name: "officers",
        code: Some("0.6"),
        usage: "officers(9)",
        rules: "Take one object from a heap of at least two and leave the rest as one heap or two (a last object alone \
                cannot be taken).",
        theory: "No period is known after more than 2^47 values.",
        example: "officers(9)",
        sources: &["WW", "Gro15"],
        judge: &[],
    },
    Entry {
        name: "subtraction",
        code: None,
        usage: "subtraction[{1, 3, 4}](20)",
        rules: "Take a number of objects that belongs to the set.",
        theory: "For a finite set the values are periodic: the largest amount many equal values in a row prove it.",
        example: "subtraction[{1, 3, 4}](20)",
        sources: &["Gol66", "WW"],
        judge: &["hdu-1536", "dp-k", "cf-1194d"],
    },
    Entry {
        name: "allbut",
        code: None,
        usage: "allbut[{2, 3}](20)",
        rules: "Take any positive number of objects that does not belong to the set.",
        theory: "Values grow with an arithmetic period, at once where the set has at most three members.",
        example: "allbut[{2, 3}](20)",
        sources: &["Sie13", "SS12"],
        judge: &[],
    },
    Entry {
        name: "treblecross",
        code: None,
        usage: "treblecross(12)",
        rules: "On a row of n >= 3 squares both players mark squares with X; whoever completes three in a row wins.",
        theory: "Never mark within two squares of a mark. What is left is the heap n + 2 of 0.007, normal play only.",
        example: "treblecross(12)",
        sources: &["WW"],
        judge: &["poj-3537"],
    },
    Entry {
        name: "moore",
        code: None,
        usage: "moore[2](3, 4, 5, 6)",
        rules: "Nim in which a move lowers at least one and at most k heaps, each by any amount.",
        theory: "Lost in normal play when every binary column of the heaps sums to 0 modulo k + 1.",
        example: "moore[2](3, 4, 5, 6)",
        sources: &["Moo10"],
        judge: &[],
    },
    Entry {
        name: "wythoff",
        code: None,
        usage: "wythoff(3, 5)",
        rules: "Two heaps: take any positive number from one heap, or the same number from both.",
        theory: "Lost positions are (floor(k phi), floor(k phi) + k) with the golden ratio phi. Values have no known formula.",
        example: "wythoff(8, 4)",
        sources: &["Wyt07"],
        judge: &["hdu-1527", "hdu-2177"],
    },
    Entry {
        name: "euclid",
        code: None,
        usage: "euclid(34, 12) = euclid[\"to-zero\"](34, 12), euclid[\"to-equal\"](34, 12)",
        rules: "Two numbers: subtract a positive multiple of the smaller from the larger; until one number is 0, or \
                (to-equal) keeping both positive, until they are equal.",
        theory: "to-zero: won when the numbers are equal or their ratio exceeds the golden ratio. Values follow from the \
                 steps of Euclid's algorithm.",
        example: "euclid(34, 12)",
        sources: &["CD69", "Niv06"],
        judge: &["hdu-1525"],
    },
    Entry {
        name: "staircase",
        code: None,
        usage: "staircase(1, 0, 3, 2): coins per stair, the ground first",
        rules: "Move any positive number of coins from a stair to the stair below; coins on the ground are out of play.",
        theory: "The value is the xor of the coins on the odd stairs.",
        example: "staircase(1, 0, 3, 2)",
        sources: &["WW"],
        judge: &["cses-1099", "poj-1704", "luogu-p3480"],
    },
    Entry {
        name: "nimble",
        code: None,
        usage: "nimble(0, 2, 5): the squares of the coins",
        rules: "Coins stand on squares 0, 1, 2, …, any number on a square; move one coin to a lower square.",
        theory: "Nim: a coin on square n is a heap of n.",
        example: "nimble(0, 2, 5)",
        sources: &["WW"],
        judge: &[],
    },
];
