//! HTTP/1.1 as a client writes and reads it, byte by byte: nothing of the server's own libraries stands between a test and the wire.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use socket2::{Domain, Socket, Type};

/// No answer may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// One connection, kept alive from answer to answer.
pub struct Connection {
    reader: BufReader<TcpStream>,
}

/// An answer, or the head of one whose body is still to come.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        Self::of_stream(TcpStream::connect(address)?)
    }

    /// The same from an address of this machine, such as any of 127.0.0.0/8.
    pub fn open_from(own: Ipv4Addr, address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((own, 0)).into())?;
        socket.connect(&address.into())?;
        Self::of_stream(socket.into())
    }

    fn of_stream(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection { reader: BufReader::new(stream) })
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.reader.get_mut().write_all(bytes)
    }

    /// Waits until something comes in, and leaves it unread.
    pub fn wait(&mut self) -> io::Result<()> {
        self.reader.get_ref().peek(&mut [0]).map(drop)
    }

    /// Reads one whole answer; to a HEAD it has no body.
    pub fn read(&mut self, head_only: bool) -> io::Result<Answer> {
        let answer = self.read_head()?;
        self.read_body(answer, head_only)
    }

    /// Reads what belongs to a head.
    pub fn read_body(&mut self, mut answer: Answer, head_only: bool) -> io::Result<Answer> {
        let bodiless = head_only || answer.status < 200 || matches!(answer.status, 204 | 304);
        if bodiless {
            return Ok(answer);
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            loop {
                let chunk = self.read_chunk()?;
                if chunk.is_empty() {
                    return Ok(answer);
                }
                answer.body.extend(chunk);
            }
        }
        match answer.header("content-length") {
            Some(length) => {
                let length = length.parse().map_err(io::Error::other)?;
                answer.body.resize(length, 0);
                self.reader.read_exact(&mut answer.body)?;
            }
            None => {
                self.reader.read_to_end(&mut answer.body)?;
            }
        }
        Ok(answer)
    }

    /// Reads one answer; of one that goes on for ever only the head.
    pub fn read_finite(&mut self, head_only: bool) -> io::Result<Answer> {
        let answer = self.read_head()?;
        let is_live = answer.header("content-type") == Some("text/event-stream");
        self.read_body(answer, head_only || is_live)
    }

    /// Reads the status line and the headers.
    pub fn read_head(&mut self) -> io::Result<Answer> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status line: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        Ok(Answer { status, headers, body: Vec::new() })
    }

    /// Reads one chunk of a chunked body; the last one is empty.
    pub fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
        let line = self.line()?;
        let size = usize::from_str_radix(&line, 16).map_err(io::Error::other)?;
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk)?;
        chunk.truncate(size);
        Ok(chunk)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Answer {
    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("an answer is UTF-8")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {} {}", self.status, String::from_utf8_lossy(&self.body))
        })
    }

    /// JSON lines.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/x-ndjson"));
        let text = self.text();
        assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    #[track_caller]
    fn success(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json"));
        self.json()
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        self.success(200)
    }

    /// The items of a page.
    #[track_caller]
    pub fn items(&self) -> Vec<Value> {
        self.ok()["items"].as_array().expect("a page has items").clone()
    }

    #[track_caller]
    pub fn created(&self) -> Value {
        self.success(201)
    }

    /// Asserts that this is a problem of the contract with this status and code; returns it.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{code} expected, not {}", self.text());
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["type"], format!("/problems/{code}"), "{problem}");
        for name in ["title", "detail", "request_id"] {
            assert_ne!(problem[name].as_str().unwrap_or(""), "", "{name}: {problem}");
        }
        let id = problem["request_id"].as_str();
        assert_eq!(id, self.header("x-request-id"), "{problem}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{problem}");
        let allow = self.header("allow").is_some();
        assert_eq!(allow, status == 405, "Allow comes with 405");
        let retry = self.header("retry-after").is_some();
        assert_eq!(retry, matches!(status, 429 | 503), "Retry-After");
        problem
    }

    /// Asserts a broken rule.
    #[track_caller]
    pub fn refused(&self, code: &str, rule: &str) -> Value {
        let problem = self.problem(422, code);
        assert_eq!(problem["rule"], rule, "{problem}");
        problem
    }
}
