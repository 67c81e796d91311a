//! `muninn health`: asks a server whether it is ready. An image of the program alone has nothing else that could ask.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::door::in_time;
use crate::failure::{Failure, tell_found};

/// Arguments of `muninn health`.
#[derive(Clone, Debug, Args)]
pub struct HealthArgs {
    /// The address that the server listens on; if that is every address, such as 0.0.0.0, the loopback address is asked
    #[arg(long, env = "MUNINN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Seconds to wait for the response
    #[arg(long, env = "MUNINN_HEALTH_SECONDS", value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,
}

/// Prints the response of `/readyz`, and ends with 1 if the server is not ready.
pub(crate) fn health(args: &HealthArgs) -> Result<ExitCode, Failure> {
    let mut address = args.listen;
    if address.ip().is_unspecified() {
        let ipv4 = address.is_ipv4();
        address.set_ip(if ipv4 { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let most = Duration::from_secs(args.seconds);
    let (status, body) = ask(address, most).map_err(|error| {
        let error = in_time(error, most);
        Failure { message: format!("{address} does not respond: {error}"), code: 1 }
    })?;
    let code = if status.contains(" 200 ") { ExitCode::SUCCESS } else { ExitCode::from(1) };
    tell_found(&format!("{}\n", body.trim_end()), code)
}

/// The status line and the body.
fn ask(address: SocketAddr, most: Duration) -> io::Result<(String, String)> {
    let mut stream = TcpStream::connect_timeout(&address, most)?;
    stream.set_read_timeout(Some(most))?;
    stream.set_write_timeout(Some(most))?;
    // HTTP 1.0: the body is not chunked, and ends with the connection.
    write!(stream, "GET /readyz HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut lines = BufReader::new(stream).lines();
    let status = lines.next().unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))?;
    // An empty line ends the headers.
    let rest: Vec<String> = lines.collect::<io::Result<_>>()?;
    let body = rest.iter().skip_while(|line| !line.is_empty()).skip(1);
    Ok((status, body.map(String::as_str).collect::<Vec<_>>().join("\n")))
}
