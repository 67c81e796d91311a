# Everything that CI checks.
ci:
    .ci/run

fmt:
    cargo fmt --all --check

lint:
    cargo clippy --workspace --all-targets -- -D warnings

test:
    cargo test --workspace

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Muninn beside what one would use instead, on this machine; writes the tables of docs/performance.md.
peers *parts:
    tests/peers/run.sh {{parts}}

# With the parts of the tests: `cargo run -p openapi` alone builds most crates with other features.
openapi:
    cargo build -q --workspace --example first_match --bin openapi
    target/debug/openapi

# What became slower or faster by more than 15 % since tests/benches/baseline.json; `--write` writes the figures into it.
bench-check *arguments:
    python3 tests/bench_check.py {{arguments}}
