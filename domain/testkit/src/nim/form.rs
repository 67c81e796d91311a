//! The forms that events of Nim were stored in before today's, one enum for each step.

use kernel::{Fact, First, Form, FormNumber, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Event, Lucky, Position};

/// The events that form 3 changed, as they were: nobody was said to begin, and the stones that are taken were called their count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Form2 {
    /// The start position.
    #[open(form)]
    MatchStarted {
        /// The form of the event.
        form: FormNumber<2>,
        /// Stones in each heap.
        #[news(all)]
        stones: Vec<u8>,
        /// The secret numbers by seat.
        #[hidden(as = Vec<Option<u8>>, doc = "Own secret number; null for the others.")]
        #[news(all)]
        lucky: Lucky,
    },
    /// Stones were taken.
    #[open(seat, heap, count)]
    StonesTaken {
        /// Who took them.
        seat: Seat,
        /// From which heap.
        heap: u8,
        /// How many.
        count: u8,
    },
}

/// The events that form 2 changed, as they were: the stones of a start were called heaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Form1 {
    /// The start position.
    MatchStarted {
        /// Stones in each heap.
        #[news(all)]
        heaps: Vec<u8>,
        /// The secret numbers by seat.
        #[hidden(as = Vec<Option<u8>>, doc = "Own secret number; null for the others.")]
        #[news(all)]
        lucky: Lucky,
    },
}

impl Form for Event {
    type Before = Form2;

    fn lift(before: Form2) -> Event {
        match before {
            Form2::MatchStarted { form: FormNumber, stones, lucky } => {
                Event::MatchStarted { form: FormNumber, first: Seat(0), stones, lucky }
            }
            Form2::StonesTaken { seat, heap, count } => {
                Event::StonesTaken { form: FormNumber, seat, heap, stones: count }
            }
        }
    }
}

impl Form for Form2 {
    type Before = Form1;

    fn lift(before: Form1) -> Form2 {
        let Form1::MatchStarted { heaps, lucky } = before;
        Form2::MatchStarted { form: FormNumber, stones: heaps, lucky }
    }
}

impl Form for Form1 {
    type Before = First<Position>;

    fn lift(before: First<Position>) -> Form1 {
        before.none()
    }
}
