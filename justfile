# What one does daily. `just` lists it; every recipe is one command that can be typed as well.

# List the recipes.
default:
    @just --list

# All that must pass before a change lands (15 minutes on two cores).
ci:
    .ci/run

# The quick half of it: types, lints, format, unit tests, the guards of the sources (2 minutes).
check:
    cargo clippy --all-targets -- -D warnings
    cargo fmt --check
    cargo test --lib --test rooms --test explain

# Scenarios whose name has this in it: `just scenarios rollback`.
scenarios NAME:
    cargo test --test scenarios {{NAME}}

# Write anew what is made from the sources: the page of codes, the example catalog, the notices of licences.
bless:
    RULEPACK_BLESS=1 cargo test --test explain page
    RULEPACK_BLESS=1 cargo test --test scenarios example
    RULEPACK_BLESS=1 cargo test --test notices

# Look for inputs that break a parser, for some minutes.
fuzz SECONDS="300":
    RULEPACK_FUZZ_SECONDS={{SECONDS}} cargo test --release --test fuzz -- --nocapture

# Kills, faults and an engine that writes beside, for ten minutes; the same seed does the same.
soak SECONDS="600" SEED="1":
    RULEPACK_SOAK_SECONDS={{SECONDS}} RULEPACK_SOAK_SEED={{SEED}} cargo test --test scenarios soak -- --nocapture

# The table of what things cost; with names, those rows.
bench *ROWS:
    cargo bench -- {{ROWS}}

# The binary as it is published: minutes to build, in target/dist.
dist:
    cargo build --locked --profile dist
