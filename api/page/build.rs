//! Builds anew when the page changes: its files are in the program.

fn main() {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=../../clients/typescript/client/src");
}
