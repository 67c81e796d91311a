//! Connections: so many in all, so many for each address, and none whose client does not read.

use std::any::Any;
use std::collections::HashMap;
use std::net::Shutdown;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::SockRef;

use crate::address::Address;
use crate::limit::lock;
use crate::metrics::{Limit, Metrics};

/// How many connections there may be; 0 is no limit.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// In all.
    pub most: u32,
    /// From one address. It does not count where a proxy connects for others.
    pub of_address: u32,
    /// How long what was sent may wait for a client that reads nothing.
    pub patience: Duration,
}

impl Default for Connections {
    /// Any number of them; 30 seconds.
    fn default() -> Self {
        Connections { most: 0, of_address: 0, patience: Duration::from_secs(30) }
    }
}

/// The connections of a server.
#[derive(Clone)]
pub(crate) struct Doorkeeper {
    limits: Connections,
    open: Arc<Mutex<Open>>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct Open {
    all: u32,
    of: HashMap<Address, u32>,
}

impl Doorkeeper {
    pub(crate) fn new(limits: Connections, metrics: Arc<Metrics>) -> Self {
        Doorkeeper { limits, open: Arc::default(), metrics }
    }

    /// Counts a new connection as long as it lives, or closes it.
    pub(crate) fn meet(&self, connection: &dyn Any, kept: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
        let socket = SockRef::from(stream);
        // A system that does not know this keeps what nobody reads until the client is gone.
        #[cfg(target_os = "linux")]
        drop(socket.set_tcp_user_timeout(Some(self.limits.patience)));
        let address = Address::of(stream.peer_addr().ok().map(|peer| peer.ip()));
        match self.open(address) {
            Some(counted) => drop(kept.insert(counted)),
            None => {
                self.metrics.limit_hit(Limit::Connections);
                drop(socket.shutdown(Shutdown::Both));
            }
        }
    }

    fn open(&self, address: Address) -> Option<Counted> {
        let Connections { most, of_address, .. } = self.limits;
        let mut open = lock(&self.open);
        let own = open.of.get(&address).copied().unwrap_or_default();
        if (most > 0 && open.all >= most) || (of_address > 0 && own >= of_address) {
            return None;
        }
        open.all += 1;
        open.of.insert(address, own + 1);
        Some(Counted { address, open: Arc::clone(&self.open) })
    }
}

/// A connection that counts.
struct Counted {
    address: Address,
    open: Arc<Mutex<Open>>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        open.all -= 1;
        if let Some(own) = open.of.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                open.of.remove(&self.address);
            }
        }
    }
}
