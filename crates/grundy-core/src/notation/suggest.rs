//! The name that was probably meant: one that the word begins, or one at a small Damerau-Levenshtein distance.

/// The candidate nearest to a misspelt `word`, or `None` if no candidate is near.
///
/// The distance is the least number of insertions, deletions, replacements and swaps of neighbours that turn one
/// name into the other, no letter being touched twice ("optimal string alignment"); case does not matter and `-` is
/// `_`, as in the notation. Near means at most one edit for words of up to 5 letters, two up to 8, three beyond. Among
/// equally near candidates the first one wins, so put the likelier names first. A candidate equal to `word` is at
/// distance 0 and wins. A candidate that begins with a word of three letters or more is that word cut short: it comes
/// after those at distance 1 and before all others.
///
/// # Complexity
/// Time O(k·l^2) for k candidates of length near l, the length of `word`; memory O(l). Candidates whose length differs by
/// more than the allowed distance cost O(their length).
///
/// # Examples
/// ```
/// use grundy_core::notation::nearest;
/// assert_eq!(nearest("kayels", ["nim", "kayles", "lasker"]), Some("kayles"));
/// assert_eq!(nearest("Dawsons-Ches", ["dawsons_kayles", "dawsons_chess"]), Some("dawsons_chess"));
/// assert_eq!(nearest("grundy", ["grunt", "grundy_game"]), Some("grundy_game"));
/// assert_eq!(nearest("chess", ["nim", "kayles"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    let mut allowed = (word.len().max(3) / 3).min(3);
    let mut best = None;
    let mut begun = None;
    for candidate in candidates {
        let letters = folded(candidate);
        if begun.is_none() && word.len() >= 3 && letters.starts_with(&word) {
            begun = Some(candidate);
        }
        if letters.len().abs_diff(word.len()) > allowed {
            continue;
        }
        let d = distance(&word, &letters);
        // From the first find on only a strictly nearer candidate is taken.
        if d < allowed || d == allowed && best.is_none() {
            best = Some(candidate);
            allowed = d;
        }
    }
    // after a find, what is allowed is its distance
    if best.is_some() && allowed <= 1 { best } else { begun.or(best) }
}

fn folded(word: &str) -> Vec<char> {
    word.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

/// Optimal string alignment distance of `a` and `b`, row by row; a swap looks two rows back.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        core::mem::swap(&mut before, &mut last);
        core::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(a: &str, b: &str) -> usize {
        distance(&folded(a), &folded(b))
    }

    #[test]
    fn distances() {
        assert_eq!(d("", ""), 0);
        assert_eq!(d("", "nim"), 3);
        assert_eq!(d("nim", ""), 3);
        assert_eq!(d("xro", "xor"), 1);
        assert_eq!(d("kitten", "sitting"), 3);
        // The unrestricted distance would be 2 (swap, then insert between): no letter is touched twice here.
        assert_eq!(d("ca", "abc"), 3);
        assert_eq!(d("a-b", "A_B"), 0);
    }

    #[test]
    fn the_first_of_equally_near_candidates_wins() {
        assert_eq!(nearest("nin", ["nim", "min"]), Some("nim"));
        assert_eq!(nearest("nin", ["min", "nim"]), Some("min"));
        assert_eq!(nearest("nim", ["nin", "nim"]), Some("nim"));
    }

    #[test]
    fn a_beginning_is_a_name_cut_short() {
        assert_eq!(nearest("sub", ["nimble", "subtraction", "subset_takeaway"]), Some("subtraction"));
        assert_eq!(nearest("Dawsons", ["dawsons_kayles"]), Some("dawsons_kayles"));
        // one edit is nearer, whole or not
        assert_eq!(nearest("kayle", ["kayle_of_old", "kayles"]), Some("kayles"));
        assert_eq!(nearest("nim", ["nimble", "nim"]), Some("nim"));
        assert_eq!(nearest("gr", ["grundy_game"]), None);
    }

    #[test]
    fn how_near_depends_on_the_length() {
        assert_eq!(nearest("m", ["n"]), Some("n"));
        assert_eq!(nearest("m", ["nn"]), None);
        assert_eq!(nearest("abcde", ["abcxy"]), None);
        assert_eq!(nearest("abcdef", ["abcdxy"]), Some("abcdxy"));
        assert_eq!(nearest("abcdefghi", ["abcdefxyz"]), Some("abcdefxyz"));
        assert_eq!(nearest(&"a".repeat(60), ["b".repeat(60).as_str()]), None);
        assert_eq!(nearest("", ["n"]), Some("n"));
        assert_eq!(nearest("n", []), None);
    }
}
