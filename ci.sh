#!/usr/bin/env bash
# Everything that CI runs, on a laptop and on a server. Needs Rust; uses cargo-nextest where it is present.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all -- --check

step "clippy, warnings are errors"
cargo clippy --workspace --all-targets --features grundy-cli/parquet,grundy-cli/cluster -- -D warnings

step "tests"
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --no-fail-fast
else
    cargo test --workspace --no-fail-fast
fi

step "Parquet, which the default build leaves out"
cargo test --workspace --features parquet --test parquet --test sequence parquet

step "several processes, which the default build leaves out"
cargo test --workspace --features cluster --test cluster

step "doc tests"
cargo test --workspace --doc

step "documentation without warnings"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --features grundy/cluster

step "every key of a doc comment stands in SOURCES.md"
missing=$(grep -rhoE "(\`\[|\")[A-Z][A-Za-z]*[0-9]{2}[a-z]?[],\"]" --include="*.rs" crates/grundy-core/src crates/grundy/src | grep -oE "[A-Z][A-Za-z]*[0-9]{2}[a-z]?" | sort -u |
    while read -r key; do grep -q "^\* \*\*$key\*\*" SOURCES.md || echo "$key"; done)
[ -z "$missing" ] || { echo "not in SOURCES.md: $missing"; exit 1; }

step "benchmarks, smoke run"
# with the whole workspace, so that nothing is built with other features
cargo bench --workspace --benches --profile dev -- --test

step "the README's first command"
cargo run --quiet -- solve 'nim(3,5,7) + kayles(15)'

step "all passed"
