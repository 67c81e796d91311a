//! Passwords that are not in the address: from the environment (`PGPASSWORD`) or a password file (`PGPASSFILE`, else `~/.pgpass`), as libpq has it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The password for a database, if there is one.
pub(crate) fn find(config: &Config) -> Option<String> {
    // As with libpq, what is empty is not set.
    if let Some(password) = env::var("PGPASSWORD").ok().filter(|password| !password.is_empty()) {
        return Some(password);
    }
    let file = env::var_os("PGPASSFILE").filter(|file| !file.is_empty()).map(PathBuf::from);
    let file = file.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".pgpass")))?;
    if !is_private(&file) {
        return None;
    }
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    // A socket is looked up by its folder, and by the name that libpq has for that of the system.
    let hosts = match config.get_hosts().first()? {
        Host::Tcp(host) => vec![host.clone()],
        #[cfg(unix)]
        Host::Unix(folder) => vec![folder.display().to_string(), "localhost".to_owned()],
    };
    let port = config.get_ports().first().unwrap_or(&5432).to_string();
    let text = fs::read_to_string(file).ok()?;
    hosts.iter().find_map(|host| in_lines(&text, [host, &port, database, user]))
}

/// Nobody else may read the file; libpq passes over one that others can.
fn is_private(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o077 == 0)
    }
    #[cfg(not(unix))]
    file.exists()
}

/// The password of the first line `host:port:database:user:password` that fits; `*` fits everything, `\` takes the next sign as it is.
fn in_lines(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = vec![String::new()];
        let mut signs = line.chars();
        while let Some(sign) = signs.next() {
            match sign {
                ':' if fields.len() < 5 => fields.push(String::new()),
                '\\' => fields.last_mut()?.extend(signs.next()),
                sign => fields.last_mut()?.push(sign),
            }
        }
        let (password, names) = fields.split_last().filter(|(_, names)| names.len() == 4)?;
        let fits = names.iter().zip(wanted).all(|(name, wanted)| name == "*" || name == wanted);
        fits.then(|| password.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::in_lines;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text =
            "# db:*:*:*:comment\ndb:5432:muninn:other:no\ndb:*:muninn:me:a\\:b:c\n*:*:*:*:any\n";
        let found = |host| in_lines(text, [host, "5432", "muninn", "me"]);
        assert_eq!(found("db").as_deref(), Some("a:b:c"));
        assert_eq!(found("elsewhere").as_deref(), Some("any"));
        assert_eq!(in_lines("db:5432:muninn", ["db", "5432", "muninn", "me"]), None);
    }
}
