//! Where the store of a command is: in a folder, or in a database.

use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::Args;
use journal::{Address, Home, has_store};

use crate::failure::{Failure, usage};

/// Where the store of a command is.
#[derive(Clone, Debug, Args)]
pub struct StoreArgs {
    /// The folder of the store; no server may have it open
    #[arg(long, env = "MUNINN_DATA")]
    pub data: Option<PathBuf>,
    /// The database of the store, if the store is not a folder; servers may use it meanwhile, except for a restore
    #[arg(long, env = "MUNINN_STORE", value_name = "POSTGRES-URL", hide_env_values = true)]
    pub store: Option<Address>,
}

impl StoreArgs {
    /// Where it is, or is to be. The environment may be that of a server, so what was said in the command goes first.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        match (&self.data, &self.store) {
            (Some(folder), None) => Ok(Home::from(folder)),
            (None, Some(address)) => Ok(Home::Database(address.clone())),
            (None, None) => Err(usage("--data or --store is needed, to say where the store is")),
            (Some(folder), Some(address)) => match (self.is_folder_set(), self.is_address_set()) {
                (true, _) => Ok(Home::Database(address.clone())),
                (false, true) => Ok(Home::from(folder)),
                (false, false) => Err(usage(
                    "--data and --store cannot be used together: a store is in a folder or in a database",
                )),
            },
        }
    }

    /// The folder that the command works in, if it is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self.home() {
            Ok(Home::Folder(_)) => self.data.as_deref(),
            Ok(Home::Database(_)) | Err(_) => None,
        }
    }

    /// Whether the folder is the environment's.
    fn is_folder_set(&self) -> bool {
        self.data.is_some() && env::var_os("MUNINN_DATA").map(PathBuf::from) == self.data
    }

    /// Whether the database is the environment's.
    fn is_address_set(&self) -> bool {
        self.store.is_some() && env::var("MUNINN_STORE").map(Address::from).ok() == self.store
    }

    /// Which of them was said in the command, and not only by the environment.
    pub(crate) fn said(&self) -> Option<&'static str> {
        if self.data.is_some() && !self.is_folder_set() {
            return Some("--data");
        }
        (self.store.is_some() && !self.is_address_set()).then_some("--store")
    }

    /// Where it is; a folder must be there.
    pub(crate) fn known(&self) -> Result<Home, Failure> {
        let home = self.home()?;
        match &home {
            Home::Folder(folder) => there(folder)?,
            Home::Database(_) => {}
        }
        Ok(home)
    }
}

/// Refuses a folder that is not there.
pub(crate) fn there(folder: &Path) -> Result<(), Failure> {
    is_at("--data", folder, "there is no such folder", |folder| Ok(folder.metadata()?.is_dir()))
}

/// Looks whether something is where a flag says. That it is not is wrong usage; that nobody can look is not.
pub(crate) fn is_at(
    flag: &str,
    path: &Path,
    missing: &str,
    look: impl FnOnce(&Path) -> io::Result<bool>,
) -> Result<(), Failure> {
    match look(path) {
        Ok(true) => Ok(()),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(Failure { message: format!("{flag} {}: {error}", path.display()), code: 1 })
        }
        Ok(false) | Err(_) => Err(usage(format!("{flag} {}: {missing}", path.display()))),
    }
}

/// Refuses a folder without a store: who only reads makes none.
pub(crate) fn stored(folder: &Path) -> Result<(), Failure> {
    there(folder)?;
    is_at("--data", folder, "there is no store", has_store)
}

/// A database if there is one, else a folder.
pub(crate) fn at(folder: &Path, database: Option<&Address>) -> Home {
    database.map_or_else(|| Home::from(folder), |address| Home::Database(address.clone()))
}
