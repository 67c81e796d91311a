//! Where the store of a command is: in a folder, or in a database.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};
use journal::{Address, Home, has_store};

use crate::failure::{Failure, usage};

/// The flags that were said in the command, and not only by the environment.
#[derive(Clone, Debug)]
pub(crate) struct Said(Vec<Id>);

impl FromArgMatches for Said {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let source = |id: &Id| matches.value_source(id.as_str());
        let said = matches.ids().filter(|id| source(id) == Some(ValueSource::CommandLine));
        Ok(Said(said.cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// It only looks at the flags that there are.
impl Args for Said {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl Said {
    /// Whether this flag was said.
    pub(crate) fn has(&self, flag: &str) -> bool {
        let name = flag.trim_start_matches('-');
        self.0.iter().any(|id| id.as_str() == name)
    }

    /// The first of these flags that was said.
    pub(crate) fn first(&self, flags: &[&'static str]) -> Option<&'static str> {
        flags.iter().copied().find(|flag| self.has(flag))
    }
}

/// Where the store of a command is.
#[derive(Clone, Debug, Args)]
pub struct StoreArgs {
    // The first field: clap takes out of its matches what a field has read.
    #[command(flatten)]
    pub(crate) said: Said,
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
        let is_said = |flag: &str| self.said.has(flag);
        match (&self.data, &self.store) {
            (Some(folder), None) => Ok(Home::from(folder)),
            (None, Some(address)) => Ok(Home::Database(address.clone())),
            (None, None) => Err(usage("--data or --store is needed, to say where the store is")),
            (Some(folder), Some(address)) => match (is_said("--data"), is_said("--store")) {
                (false, _) => Ok(Home::Database(address.clone())),
                (true, false) => Ok(Home::from(folder)),
                (true, true) => Err(usage(
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
