//! A client of a live stream.

use std::io;
use std::net::SocketAddr;

use serde_json::Value;

use crate::http::{Answer, Connection};
use crate::request::Request;

/// A stream of server-sent events, as it comes in.
pub struct Stream {
    connection: Connection,
    /// Status and headers; the body too where it is no stream.
    pub answer: Answer,
    text: String,
    comments: Vec<String>,
}

/// A message of the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub id: u64,
    pub data: Value,
}

impl Stream {
    pub fn open(address: SocketAddr, request: &Request) -> Self {
        Self::try_open(address, request).expect("the server answers")
    }

    /// The same where the server may be gone.
    pub fn try_open(address: SocketAddr, request: &Request) -> io::Result<Self> {
        let mut connection = Connection::open(address)?;
        request.leave(&mut connection)?;
        Ok(Stream {
            answer: connection.read_head()?,
            connection,
            text: String::new(),
            comments: Vec::new(),
        })
    }

    /// The same where the connection may break.
    pub fn try_next(&mut self) -> io::Result<Option<Message>> {
        loop {
            let Some(block) = self.block()? else {
                return Ok(None);
            };
            if let Some(message) = self.message(&block) {
                return Ok(Some(message));
            }
        }
    }

    /// All messages to the end.
    pub fn rest(self) -> Vec<Message> {
        self.collect()
    }

    /// Waits for a comment, over all messages.
    pub fn heartbeat(mut self) -> String {
        loop {
            let block = self.block().expect("the stream goes on");
            let block = block.expect("the stream goes on");
            if self.message(&block).is_none()
                && let Some(comment) = self.comments.pop()
            {
                return comment;
            }
        }
    }

    /// How many comments have come in so far.
    pub fn heartbeats(&self) -> usize {
        self.comments.len()
    }

    fn block(&mut self) -> io::Result<Option<String>> {
        assert_eq!(self.answer.status, 200);
        assert_eq!(self.answer.header("content-type"), Some("text/event-stream"));
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let rest = self.text.split_off(end + 2);
                return Ok(Some(std::mem::replace(&mut self.text, rest)));
            }
            let chunk = self.connection.read_chunk()?;
            if chunk.is_empty() {
                assert_eq!(self.text, "", "a stream ends after a whole message");
                return Ok(None);
            }
            self.text.push_str(&String::from_utf8(chunk).expect("a chunk ends at a character"));
        }
    }

    fn message(&mut self, block: &str) -> Option<Message> {
        let (mut id, mut data) = (None, None);
        for line in block.lines().filter(|line| !line.is_empty()) {
            match line.split_once(": ").expect("each line has a colon") {
                ("id", text) => id = Some(text.parse().expect("an id is a version")),
                ("data", text) => data = Some(serde_json::from_str(text).expect("data is JSON")),
                ("", comment) => self.comments.push(comment.to_owned()),
                ("retry", milliseconds) => assert!(milliseconds.parse::<u32>().is_ok()),
                _ => panic!("no other line belongs to a stream: {line:?}"),
            }
        }
        assert_eq!(id.is_some(), data.is_some(), "{block:?}");
        Some(Message { id: id?, data: data? })
    }
}

/// The messages; `None` when the stream has ended as it should.
impl Iterator for Stream {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        self.try_next().expect("the stream goes on")
    }
}
