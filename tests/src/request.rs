//! A request, written as it goes over the wire.

use std::io;

use serde_json::Value;

use crate::http::{Answer, Connection};

/// A request in the making.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub fn new(method: &str, path: &str) -> Self {
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.bytes("application/json", body.to_string())
    }

    pub fn bytes(self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Request { body, ..self }.header("Content-Type", media_type)
    }

    fn wire(&self) -> Vec<u8> {
        let Request { method, path, headers, body } = self;
        let mut wire = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        for (name, value) in headers {
            wire.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || matches!(method.as_str(), "POST" | "PUT") {
            wire.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        let mut wire = (wire + "\r\n").into_bytes();
        wire.extend(body);
        wire
    }

    /// Sends it on a connection of the caller's.
    pub fn on(&self, connection: &mut Connection) -> io::Result<Answer> {
        connection.write(&self.wire())?;
        connection.read(self.is_head())
    }

    pub fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// Sends it and leaves the answer unread.
    pub fn leave(&self, connection: &mut Connection) -> io::Result<()> {
        connection.write(&self.wire())
    }
}
