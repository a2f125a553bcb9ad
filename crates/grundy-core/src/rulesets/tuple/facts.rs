//! Reads the number tables of `testdata/` for the tests of this family.

/// All numbers of the array that follows the key `"key":` in `text`, the brackets inside it flattened.
pub(super) fn numbers(text: &str, key: &str) -> Vec<u64> {
    let quoted = format!("\"{key}\"");
    let at = text.find(&quoted).unwrap_or_else(|| panic!("no {quoted} among the facts"));
    let array = &text[at + quoted.len()..];
    let array = &array[array.find('[').expect("an array follows its key")..];
    let mut depth = 0;
    let end = array
        .find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })
        .expect("the array ends");
    array[..end]
        .split(|c: char| !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().expect("digits"))
        .collect()
}

#[test]
fn nested_arrays_are_flattened() {
    assert_eq!(numbers(r#"{"a": [9], "bc": [[1, 2], [30]], "d": [4]}"#, "bc"), [1, 2, 30]);
}

/// All lists of each of these lengths with entries up to `most`.
pub(super) fn lists(lengths: core::ops::RangeInclusive<usize>, most: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for length in lengths {
        let mut layer = vec![Vec::new()];
        for _ in 0..length {
            layer = layer
                .iter()
                .flat_map(|list| (0..=most).map(move |x| list.iter().copied().chain([x]).collect()))
                .collect();
        }
        all.append(&mut layer);
    }
    all
}
