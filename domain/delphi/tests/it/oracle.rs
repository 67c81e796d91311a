//! Independent, naive answers to compare the game with: by brute force, from the JSON alone.

use serde_json::Value;

const COLORS: [&str; 6] = ["red", "black", "pink", "blue", "yellow", "green"];

/// All ways to fulfil the tiles left of a kind with different colours, none of which was fulfilled before: each as its colours.
pub(crate) fn completions(tiles: &Value, fulfilled: &Value) -> Vec<Vec<&'static str>> {
    let mut ways: Vec<Vec<&'static str>> = vec![Vec::new()];
    for tile in tiles.as_array().unwrap() {
        let fits = |color: &&&str| tile == "white" || tile == **color;
        let mut longer = Vec::new();
        for way in &ways {
            for color in COLORS.iter().filter(fits) {
                let done = fulfilled.as_array().unwrap().iter().any(|other| other == color);
                if !done && !way.contains(color) {
                    longer.push(way.iter().copied().chain([*color]).collect());
                }
            }
        }
        ways = longer;
    }
    ways
}
