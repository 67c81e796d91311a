//! Where the operator's door is: an address that only this machine reaches, or a socket that only one user may open.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
#[cfg(unix)]
use std::os::unix::{
    fs::{FileTypeExt, PermissionsExt},
    net::{SocketAddr as SocketAddress, UnixListener, UnixStream},
};
use std::path::PathBuf;
use std::str::FromStr;

/// The address of the operator's door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// A port on a loopback address.
    Tcp(SocketAddr),
    /// A Unix socket.
    Unix(PathBuf),
}

/// What was bound.
pub(super) enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener, PathBuf),
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            let path = if path.is_empty() { Err("expected a path after unix:") } else { Ok(path) };
            #[cfg(unix)]
            if SocketAddress::from_pathname(path?).is_err() {
                let most = "the path is too long for a socket: nobody could open it";
                return Err(format!(
                    "{most}; choose a shorter one, such as /run/muninn/operator.sock"
                ));
            }
            return Ok(Listen::Unix(path?.into()));
        }
        let address: SocketAddr = text.parse().map_err(|_| {
            "expected an address and port such as 127.0.0.1:9090, or a path such as unix:/run/muninn/operator.sock"
        })?;
        if !address.ip().is_loopback() {
            return Err(format!(
                "{} is not a loopback address: other machines could reach the operator's door there; use 127.0.0.1, [::1] or unix:PATH",
                address.ip()
            ));
        }
        Ok(Listen::Tcp(address))
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listen::Tcp(address) => address.fmt(f),
            Listen::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl Listen {
    pub(super) fn listen(&self) -> io::Result<Listener> {
        match self {
            Listen::Tcp(address) => Ok(Listener::Tcp(TcpListener::bind(address)?)),
            #[cfg(unix)]
            Listen::Unix(path) => {
                free(path)?;
                // Nobody else may open it, not even between its making and its mode: it is made in a folder of our own, and moved.
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let parent = parent.unwrap_or(std::path::Path::new("."));
                let folder = tempfile::Builder::new().prefix(".muninn").tempdir_in(parent)?;
                let made = folder.path().join("s");
                let listener = UnixListener::bind(&made)?;
                std::fs::set_permissions(&made, PermissionsExt::from_mode(0o600))?;
                std::fs::rename(&made, path)?;
                Ok(Listener::Unix(listener, path.clone()))
            }
            #[cfg(not(unix))]
            Listen::Unix(_) => Err(io::Error::other("there are no Unix sockets on this system")),
        }
    }
}

impl Listener {
    /// Where it listens: at the port that the system chose, if it was to choose one.
    pub(super) fn place(&self) -> io::Result<Listen> {
        match self {
            Listener::Tcp(listener) => Ok(Listen::Tcp(listener.local_addr()?)),
            #[cfg(unix)]
            Listener::Unix(_, path) => Ok(Listen::Unix(path.clone())),
        }
    }
}

/// Makes sure that nothing is at the path but perhaps a socket that its server left behind.
#[cfg(unix)]
fn free(path: &std::path::Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if !found.file_type().is_socket() => {
            Err(io::Error::other("there is something that is not a socket"))
        }
        Ok(_) if UnixStream::connect(path).is_ok() => {
            Err(io::Error::other("another server listens there"))
        }
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_to() {
        for text in ["127.0.0.1:9090", "[::1]:0", "127.8.8.8:1", "unix:/run/muninn.sock", "unix:s"]
        {
            let listen: Listen = text.parse().unwrap();
            assert_eq!(listen.to_string(), text);
        }
        for (text, reason) in [
            ("0.0.0.0:9090", "0.0.0.0 is not a loopback address"),
            ("[::]:9090", ":: is not a loopback address"),
            ("192.0.2.1:80", "192.0.2.1 is not a loopback address"),
            ("localhost:9090", "expected an address and port"),
            ("9090", "expected an address and port"),
            ("unix:", "expected a path"),
            (&format!("unix:/{}", "x".repeat(107)), "too long"),
        ] {
            let refused = text.parse::<Listen>().unwrap_err();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }
}
