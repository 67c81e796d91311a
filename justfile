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

openapi:
    cargo run -p openapi

# What became slower or faster by more than 15 % since tests/benches/baseline.json; `--write` makes that file anew.
bench-check *arguments:
    python3 tests/bench_check.py {{arguments}}
