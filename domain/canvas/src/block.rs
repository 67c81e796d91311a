//! Blocks: fragments with a size, which are stacked and flow like words.

use crate::svg::Svg;

/// A fragment of a known size, drawn from its upper left corner.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In units.
    pub width: f64,
    /// In units.
    pub height: f64,
    /// What is drawn.
    pub svg: Svg,
}

impl Block {
    /// Draws a block of this size.
    pub fn new(width: f64, height: f64, draw: impl FnOnce(&mut Svg)) -> Self {
        let mut svg = Svg::new();
        draw(&mut svg);
        Block { width, height, svg }
    }

    /// The block, smaller or larger.
    pub fn scaled(self, scale: f64) -> Self {
        let mut svg = Svg::new();
        let group = svg.group().placed(0.0, 0.0, 0.0, scale);
        group.with(|inner| inner.add(&self.svg));
        Block { width: self.width * scale, height: self.height * scale, svg }
    }
}

/// One below the other.
pub fn stack(gap: f64, blocks: &[Block]) -> Block {
    let mut svg = Svg::new();
    let (mut width, mut y) = (0.0_f64, 0.0);
    for block in blocks {
        if y > 0.0 {
            y += gap;
        }
        svg.add_at(0.0, y, &block.svg);
        y += block.height;
        width = width.max(block.width);
    }
    Block { width, height: y, svg }
}

/// Side by side like words, in as many lines as `width` asks for.
pub fn flow(width: f64, gap: f64, blocks: &[Block]) -> Block {
    let mut svg = Svg::new();
    let (mut x, mut y, mut line) = (0.0, 0.0, 0.0_f64);
    for block in blocks {
        if x > 0.0 && x + block.width > width + 0.01 {
            (x, y, line) = (0.0, y + line + gap, 0.0);
        }
        svg.add_at(x, y, &block.svg);
        x += block.width + gap;
        line = line.max(block.height);
    }
    Block { width, height: y + line, svg }
}

/// Side by side in one line: where they would be wider than `width`, each covers a part of the one before.
pub fn fan(width: f64, gap: f64, blocks: &[Block]) -> Block {
    let mut svg = Svg::new();
    let last = blocks.last().map_or(0.0, |block| block.width);
    let steps: f64 = blocks.iter().rev().skip(1).map(|block| block.width + gap).sum();
    let squeeze = if steps + last > width && steps > 0.0 { (width - last) / steps } else { 1.0 };
    let (mut x, mut height) = (0.0, 0.0_f64);
    for block in blocks {
        svg.add_at(x, 0.0, &block.svg);
        x += (block.width + gap) * squeeze;
        height = height.max(block.height);
    }
    Block { width, height, svg }
}
