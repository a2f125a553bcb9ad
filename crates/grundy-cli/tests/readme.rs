//! The README's tour prints what the README says. `TRYCMD=overwrite cargo test --test readme` renews it.

#[test]
fn the_tour_is_real() {
    trycmd::TestCases::new().case("../../README.md").register_bin("grundy", trycmd::cargo::cargo_bin!("grundy"));
}

#[test]
fn the_page_about_own_rules_is_real() {
    trycmd::TestCases::new()
        .case("../../docs/own-rules.md")
        .register_bin("grundy", trycmd::cargo::cargo_bin!("grundy"));
}
