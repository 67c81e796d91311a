//! Where a store is: in a folder, or in a database.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::error::OpenError;
use crate::local::folder;
use crate::store::{Config, Store};

/// Where a store is. It can be named whether or not this program was built with PostgreSQL; without it, a database cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A PostgreSQL database.
    Database(Address),
}

/// The address of a database: `postgres://user:password@host:port/name`, or another form that libpq takes. When it is printed, the password is left out.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(String);

/// A folder for what a program derives from a store. Of a database's it has it alone, as long as this lives.
#[derive(Debug)]
pub struct Beside {
    folder: PathBuf,
    _lock: Option<File>,
}

impl Beside {
    /// The free space on its disk, in bytes, if the system tells.
    #[must_use]
    pub fn free_bytes(&self) -> Option<u64> {
        fs2::available_space(&self.folder).ok()
    }
}

impl Home {
    /// Takes `folder`, which is created if it is not there, for the data that is derived from the store. For a store in a folder it is the same
    /// folder, which is taken when the store is opened.
    ///
    /// # Errors
    /// If another process has taken it, it has a store of its own, or cannot be written.
    pub fn beside(&self, folder: &Path) -> Result<Beside, OpenError> {
        let lock = match self {
            Home::Folder(_) => None,
            Home::Database(_) => Some(folder::take_beside(folder)?),
        };
        Ok(Beside { folder: folder.to_owned(), _lock: lock })
    }

    /// Opens the store; makes one if the folder is empty or missing. A database must have been [migrated](Address::migrate).
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn open(&self, config: Config) -> Result<Store, OpenError> {
        match self {
            Home::Folder(folder) => Store::open(folder, config),
            Home::Database(address) => address.connect(),
        }
    }

    /// Opens the store to look at it: of a folder a copy in the folder `scratch` ([`Store::inspect`]), a database itself.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn inspect(&self, scratch: &Path) -> Result<Store, OpenError> {
        match self {
            Home::Folder(folder) => Store::inspect(folder, scratch),
            Home::Database(address) => address.connect(),
        }
    }

    /// Opens the store to read all of it: for a folder, a copy in the folder `scratch` ([`Store::open_copy`]); for a database, the database itself.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn open_copy(&self, scratch: &Path, config: Config) -> Result<Store, OpenError> {
        match self {
            Home::Folder(folder) => Store::open_copy(folder, scratch, config),
            Home::Database(address) => address.connect(),
        }
    }
}

impl fmt::Display for Home {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Home::Folder(folder) => write!(f, "{}", folder.display()),
            Home::Database(address) => write!(f, "{address}"),
        }
    }
}

impl From<&Path> for Home {
    fn from(folder: &Path) -> Home {
        Home::Folder(folder.to_owned())
    }
}

impl From<&PathBuf> for Home {
    fn from(folder: &PathBuf) -> Home {
        Home::Folder(folder.clone())
    }
}

impl From<&Home> for Home {
    fn from(home: &Home) -> Home {
        home.clone()
    }
}

#[cfg(feature = "postgres")]
impl Address {
    /// Looks whether it can be understood; nothing is connected to.
    ///
    /// # Errors
    /// What is wrong, in words that have no part of it: that might be of a password.
    pub fn check(&self) -> Result<(), String> {
        crate::postgres::session::check(&self.0)
    }

    fn connect(&self) -> Result<Store, OpenError> {
        Store::connect(&self.0)
    }

    /// Brings the database to the schema of this program; returns the numbers of the migrations that were applied.
    ///
    /// # Errors
    /// As [`OpenError`] says. Each migration was applied whole or not at all.
    pub fn migrate(&self) -> Result<Vec<i32>, OpenError> {
        Store::migrate(&self.0)
    }

    /// Lets `make` fill the store there, which must be empty. No server opens it or writes into it before it is complete; if anything fails, it is empty again.
    ///
    /// # Errors
    /// As [`OpenError`] says, and as `make` does.
    pub fn fill<T, E: From<OpenError>>(
        &self,
        make: impl FnOnce(Store) -> Result<T, E>,
    ) -> Result<T, E> {
        Store::fill(&self.0, make)
    }
}

#[cfg(not(feature = "postgres"))]
impl Address {
    /// Looks whether it can be understood, which only a program with PostgreSQL can.
    ///
    /// # Errors
    /// None.
    pub fn check(&self) -> Result<(), String> {
        Ok(())
    }

    fn connect(&self) -> Result<Store, OpenError> {
        Err(OpenError::NoPostgres)
    }

    /// Brings the database to the schema of this program; returns the numbers of the migrations that were applied.
    ///
    /// # Errors
    /// [`OpenError::NoPostgres`], since this program was built without it.
    pub fn migrate(&self) -> Result<Vec<i32>, OpenError> {
        Err(OpenError::NoPostgres)
    }

    /// Lets `make` fill the store there, which must be empty.
    ///
    /// # Errors
    /// [`OpenError::NoPostgres`], since this program was built without it.
    pub fn fill<T, E: From<OpenError>>(
        &self,
        _: impl FnOnce(Store) -> Result<T, E>,
    ) -> Result<T, E> {
        Err(OpenError::NoPostgres.into())
    }
}

impl From<String> for Address {
    /// Whether it can be understood is found out when it is opened: then what is wrong is told without a password in it.
    fn from(text: String) -> Address {
        Address(text)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// User, hosts and name, without what follows them: a password may be there as well. Where a sign stands that has a meaning at another
/// place, a password might reach further than it seems, so nothing is shown.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(shown(&self.0).as_deref().unwrap_or("postgres://..."))
    }
}

fn shown(address: &str) -> Option<String> {
    let rest =
        address.strip_prefix("postgres://").or_else(|| address.strip_prefix("postgresql://"))?;
    let place = rest.split_once('?').map_or(rest, |(place, _)| place);
    let (account, place) = place.split_once('@').unwrap_or(("", place));
    let user = account.split_once(':').map_or(account, |(user, _)| user);
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._~%,".contains(sign);
    let is_place = |sign: char| is_plain(sign) || ":/[]".contains(sign);
    // A question mark in a password hides the @ behind it.
    let is_whole = !rest.split_once('?').is_some_and(|(_, settings)| settings.contains('@'));
    let fits = is_whole
        && account.chars().all(|sign| is_plain(sign) || sign == ':')
        && place.chars().all(is_place)
        && place.matches('/').count() <= 1
        && place.split('/').next()?.split(',').all(has_no_word_as_port);
    let at = if user.is_empty() { "" } else { "@" };
    fits.then(|| format!("postgres://{user}{at}{place}"))
}

/// What stands where a port does may be a password, if the @ behind it was forgotten.
fn has_no_word_as_port(host: &str) -> bool {
    let port = host.rsplit(']').next().and_then(|host| host.split_once(':'));
    port.is_none_or(|(_, port)| port.chars().all(|sign| sign.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn nothing_that_is_printed_has_a_password() {
        let shown = |text: &str| format!("{0} {0:?}", Address::from(text.to_owned()));
        let of = |text: &str| format!("{text} {text}");
        assert_eq!(
            shown("postgres://me:hunter2@db:5432/muninn"),
            of("postgres://me@db:5432/muninn")
        );
        let hosts = "postgresql://me@a:1,b:2/muninn?password=hunter2&sslmode=require";
        assert_eq!(shown(hosts), of("postgres://me@a:1,b:2/muninn"));
        assert_eq!(shown("postgres://[::1]:5432/muninn"), of("postgres://[::1]:5432/muninn"));
        let socket = "postgres://me:hunter2@%2Frun%2Fpostgresql/muninn";
        assert_eq!(shown(socket), of("postgres://me@%2Frun%2Fpostgresql/muninn"));
        for wrong in [
            "postgres://me:hun@ter2@db/muninn",
            "postgres://me:hun/ter2@db/muninn",
            "postgres://me:hun?ter2@db/muninn",
            "postgres://db/muninn?password=hun@ter2",
            "postgres://me:hun#ter2@db/muninn",
            "host=db user=me password=hunter2",
            "postgres://me:hunter2/muninn",
            "postgers://me:hunter2@db/muninn",
            "",
        ] {
            assert_eq!(shown(wrong), of("postgres://..."), "{wrong}");
        }
    }
}
