//! A client of the operator's door: one request, and the body of its response.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

use server::Listen;

/// The beginning of an answer is not waited for longer.
const PATIENCE: Duration = Duration::from_secs(60);
/// What comes then may take its time: an archive goes through all notes before its end.
const LONG_PATIENCE: Duration = Duration::from_secs(3600);

/// Sends a body of JSON, and copies the body of the response into `out`.
///
/// # Errors
/// If the door does not answer, the response is no success, or it is cut off.
pub(crate) fn post(door: &Listen, path: &str, body: &str, out: &mut dyn Write) -> io::Result<()> {
    post_within(PATIENCE, door, path, body, out)
}

/// An error where something was not done in time, in words: the system has none for it, or that a resource is unavailable.
pub(crate) fn in_time(error: io::Error, most: Duration) -> io::Error {
    if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
        return error;
    }
    let seconds = most.as_secs_f64();
    io::Error::new(ErrorKind::TimedOut, format!("there was no answer within {seconds} s"))
}

fn post_within(
    most: Duration,
    door: &Listen,
    path: &str,
    body: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    type Patient = Box<dyn Fn() -> io::Result<()>>;
    let (stream, writer, wait): (Box<dyn Read>, Box<dyn Write>, Patient) = match door {
        Listen::Tcp(address) => {
            let stream =
                TcpStream::connect_timeout(address, most).map_err(|error| in_time(error, most))?;
            stream.set_read_timeout(Some(most))?;
            let same = stream.try_clone()?;
            let wait = move || same.set_read_timeout(Some(LONG_PATIENCE));
            (Box::new(stream.try_clone()?), Box::new(stream), Box::new(wait))
        }
        #[cfg(unix)]
        Listen::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(most))?;
            let same = stream.try_clone()?;
            let wait = move || same.set_read_timeout(Some(LONG_PATIENCE));
            (Box::new(stream.try_clone()?), Box::new(stream), Box::new(wait))
        }
        #[cfg(not(unix))]
        Listen::Unix(_) => {
            return Err(io::Error::other("there are no Unix sockets on this system"));
        }
    };
    request(writer, path, body)?;
    let mut reader = BufReader::with_capacity(1 << 16, stream);
    let (status, is_chunked) = head(&mut reader).map_err(|error| in_time(error, most))?;
    if status != "200" {
        let mut problem = Vec::new();
        let read = body_of(&mut reader, is_chunked, &mut problem);
        read.map_err(|error| in_time(error, most))?;
        return Err(io::Error::other(detail(&problem)));
    }
    wait()?;
    let read = body_of(&mut reader, is_chunked, out);
    read.map_err(|error| in_time(error, LONG_PATIENCE))
}

fn body_of(reader: &mut impl BufRead, is_chunked: bool, out: &mut dyn Write) -> io::Result<()> {
    if is_chunked { chunks(reader, out) } else { io::copy(reader, out).map(drop) }
}

fn request(mut out: Box<dyn Write>, path: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    write!(
        out,
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    out.flush()
}

/// The status, and whether the body comes in chunks.
fn head(reader: &mut impl BufRead) -> io::Result<(String, bool)> {
    let status = line(reader)?.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut is_chunked = false;
    loop {
        let header = line(reader)?.to_ascii_lowercase();
        if header.is_empty() {
            return Ok((status, is_chunked));
        }
        is_chunked |= header.starts_with("transfer-encoding:") && header.ends_with("chunked");
    }
}

fn chunks(reader: &mut impl BufRead, out: &mut dyn Write) -> io::Result<()> {
    loop {
        let size = line(reader)?;
        let size = u64::from_str_radix(&size, 16).map_err(io::Error::other)?;
        if io::copy(&mut reader.by_ref().take(size), out)? < size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line(reader)?;
        if size == 0 {
            return Ok(());
        }
    }
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if reader.by_ref().take(1 << 14).read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

/// What a problem says.
fn detail(problem: &[u8]) -> String {
    let problem: serde_json::Value = serde_json::from_slice(problem).unwrap_or_default();
    let detail = problem["detail"].as_str().or(problem["title"].as_str());
    detail.unwrap_or("the response is not a success").to_owned()
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn who_says_nothing_is_told_in_words() {
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let door = Listen::Tcp(silent.local_addr().unwrap());
        let most = Duration::from_millis(50);
        let error = post_within(most, &door, "/backup", "{}", &mut io::sink()).unwrap_err();
        assert_eq!(error.to_string(), "there was no answer within 0.05 s");
    }
}
