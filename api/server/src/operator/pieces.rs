//! An answer that is sent while it is made, to a client that may read none of it.

use std::any::Any;
use std::io::{self, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::HttpRequest;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use actix_web::web::Bytes;
use socket2::{SockRef, Socket};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::problem::Problem;

/// A client that has not taken all so far is looked at again after this.
const LOOK: Duration = Duration::from_millis(5);

/// Cuts off the client of a connection, whatever it does.
#[derive(Clone)]
pub(super) struct Cut(Arc<Socket>);

impl Cut {
    /// Keeps with each connection what cuts it off.
    pub(super) fn keep(connection: &dyn Any, kept: &mut Extensions) {
        let tcp = connection.downcast_ref::<TcpStream>().map(SockRef::from);
        #[cfg(unix)]
        let socket = tcp.or_else(|| connection.downcast_ref::<UnixStream>().map(SockRef::from));
        #[cfg(not(unix))]
        let socket = tcp;
        // Without it an answer is given up all the same, and its connection lasts as long as its client.
        if let Some(Ok(socket)) = socket.map(|socket| socket.try_clone()) {
            kept.insert(Cut(Arc::new(socket)));
        }
    }

    fn off(&self) {
        // It may have gone by itself.
        drop(self.0.shutdown(Shutdown::Both));
    }
}

pub(super) type Piece = Result<Bytes, Problem>;

/// What is written goes to the client, piece by piece.
pub(super) struct Pieces {
    pub(super) sender: mpsc::Sender<Piece>,
    /// How long it may wait for a client that reads nothing of it.
    patience: Duration,
    cut: Option<Cut>,
    /// It has read nothing for so long that nothing more is sent.
    pub(super) is_cut: Arc<AtomicBool>,
}

impl Pieces {
    /// The answer to this request; so many pieces of it may wait for the client.
    pub(super) fn new(
        request: &HttpRequest,
        most: usize,
        patience: Duration,
    ) -> (Pieces, mpsc::Receiver<Piece>) {
        let (sender, receiver) = mpsc::channel(most);
        let cut = request.conn_data::<Cut>().cloned();
        (Pieces { sender, patience, cut, is_cut: Arc::default() }, receiver)
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut piece = Ok(Bytes::copy_from_slice(bytes));
        let since = Instant::now();
        while !self.is_cut.load(Ordering::Relaxed) {
            piece = match self.sender.try_send(piece) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Closed(_)) => {
                    return Err(io::Error::other("the client has gone"));
                }
                Err(TrySendError::Full(piece)) => piece,
            };
            if since.elapsed() > self.patience {
                self.is_cut.store(true, Ordering::Relaxed);
                self.cut.iter().for_each(Cut::off);
            }
            thread::sleep(LOOK);
        }
        let seconds = self.patience.as_secs();
        Err(io::Error::other(format!("the client has read nothing for {seconds} s")))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
