#!/usr/bin/env bash
# Everything that CI runs, on a laptop and on a server. Needs Rust; uses cargo-nextest where it is present.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}

# one set of features for all that is built, so that nothing is built twice
FEATURES=grundy-cli/parquet,grundy-cli/cluster

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all -- --check

step "clippy, warnings are errors"
cargo clippy --workspace --all-targets --features $FEATURES -- -D warnings

step "the default build, which leaves features out"
cargo clippy -p grundy-cli -- -D warnings

step "tests"
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --features $FEATURES --no-fail-fast
else
    cargo test --workspace --features $FEATURES --no-fail-fast
fi

step "doc tests"
cargo test --workspace --features $FEATURES --doc

step "documentation without warnings"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --features $FEATURES --no-deps

step "every key of a doc comment stands in SOURCES.md"
missing=$(grep -rhoE "(\`\[|\")[A-Z][A-Za-z]*[0-9]{2}[a-z]?[],\"]" --include="*.rs" crates/grundy-core/src crates/grundy/src | grep -oE "[A-Z][A-Za-z]*[0-9]{2}[a-z]?" | sort -u |
    while read -r key; do grep -q "^\* \*\*$key\*\*" SOURCES.md || echo "$key"; done)
[ -z "$missing" ] || { echo "not in SOURCES.md: $missing"; exit 1; }

step "benchmarks, smoke run"
# with the whole workspace, so that nothing is built with other features
cargo bench --workspace --features $FEATURES --benches --profile dev -- --test

# the compiler of modules takes minutes to build, so these tests run where time is left for them
if [ "$SECONDS" -lt "${GRUNDY_WASM_BEFORE:-480}" ]; then
    step "rules as WebAssembly modules"
    cargo test -p grundy-wasm -p grundy-cli --features grundy-wasm/runtime,grundy-cli/wasm --lib --test wasm
else
    step "rules as WebAssembly modules: left out after $SECONDS s"
fi

step "the README's first command"
"${CARGO_TARGET_DIR:-target}/debug/grundy" solve 'nim(3,5,7) + kayles(15)'

step "all passed"
