//! Merges the trees of frames into one.

use std::ops::Range;

use super::tree::Node;

/// An element of some frames.
#[derive(Debug)]
pub(super) struct Merged<'a> {
    /// As it was in the first frame that has it.
    pub(super) node: &'a Node<'a>,
    /// The frames that have it, ascending, each range as long as can be.
    pub(super) shown: Vec<Range<usize>>,
    /// Where it is, from which frame on.
    pub(super) places: Vec<(usize, &'a str)>,
    /// What is inside in some of these frames.
    pub(super) children: Vec<Merged<'a>>,
}

/// Adds the elements of a frame, in the order in which they are drawn, to those of the frames before.
///
/// Each is found among the known ones after the one before it, so the order of drawing is kept; what is not found is new.
pub(super) fn merge<'a>(known: &mut Vec<Merged<'a>>, nodes: &[&'a Node<'a>], frame: usize) {
    let mut from = 0;
    for node in nodes {
        let found = (from..known.len()).find(|index| known[*index].node.alike(node));
        let index = found.unwrap_or_else(|| {
            known.insert(from, Merged::new(node));
            from
        });
        let merged = &mut known[index];
        merged.see(node, frame);
        let inside: Vec<&Node<'_>> = node.drawn().collect();
        merge(&mut merged.children, &inside, frame);
        from = index + 1;
    }
}

impl<'a> Merged<'a> {
    fn new(node: &'a Node<'a>) -> Self {
        Merged { node, shown: Vec::new(), places: Vec::new(), children: Vec::new() }
    }

    fn see(&mut self, node: &'a Node<'a>, frame: usize) {
        match self.shown.last_mut() {
            Some(last) if last.end == frame => last.end = frame + 1,
            Some(_) | None => self.shown.push(frame..frame + 1),
        }
        if self.places.last().map(|(_, place)| *place) != Some(node.place()) {
            self.places.push((frame, node.place()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::read;
    use super::*;

    /// Asserts that the merged elements, in this frame, are those of the frame.
    fn check(merged: &[Merged<'_>], nodes: &[&Node<'_>], frame: usize) {
        let is_shown = |it: &&Merged<'_>| it.shown.iter().any(|range| range.contains(&frame));
        let shown: Vec<&Merged<'_>> = merged.iter().filter(is_shown).collect();
        assert_eq!(shown.len(), nodes.len());
        for (merged, node) in shown.into_iter().zip(nodes) {
            assert!(merged.node.alike(node));
            let place = merged.places.iter().rfind(|(from, _)| *from <= frame);
            assert_eq!(place.map(|(_, place)| *place), Some(node.place()));
            let inside: Vec<&Node<'_>> = node.drawn().collect();
            check(&merged.children, &inside, frame);
        }
    }

    /// Pictures that change a little from one to the next: groups come and go, move, and change inside.
    fn frames(seed: u64) -> Vec<String> {
        let mut state = seed;
        let mut below = |count: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        };
        let mut frame = || {
            let mut text = String::from("<svg>");
            for group in 0..8 {
                if below(3) == 0 {
                    continue;
                }
                let x = below(2);
                let group =
                    if group < 4 { format!(" data-spot=\"cell:{group}\"") } else { String::new() };
                text.push_str(&format!(
                    "<g transform=\"translate({x} 0)\"{group}><title>t</title>"
                ));
                for leaf in 0..4 {
                    if below(2) == 0 {
                        text.push_str(&format!("<rect x=\"{leaf}\"/><text>{}</text>", below(3)));
                    }
                }
                text.push_str("</g>");
            }
            text + "</svg>"
        };
        (0..30).map(|_| frame()).collect()
    }

    #[test]
    fn every_frame_is_found_again_in_the_merged_ones() {
        for seed in 0..50 {
            let frames = frames(seed);
            let roots: Vec<Node<'_>> = frames.iter().map(|frame| read(frame).unwrap()).collect();
            let mut merged = Vec::new();
            for (number, root) in roots.iter().enumerate() {
                let nodes: Vec<&Node<'_>> = root.drawn().collect();
                merge(&mut merged, &nodes, number);
            }
            for (number, root) in roots.iter().enumerate() {
                let nodes: Vec<&Node<'_>> = root.drawn().collect();
                check(&merged, &nodes, number);
            }
        }
    }
}
