//! A program without PostgreSQL can name a database, and says that it opens none; never the password.
#![cfg(not(feature = "postgres"))]

use store::{Address, Config, Home, OpenError};

#[test]
fn a_database_is_refused_in_words() {
    let address = Address::from("postgres://me:hunter2@db/muninn".to_owned());
    let refused = [
        Home::Database(address.clone()).open(Config::default()).map(drop).err(),
        address.migrate().map(drop).err(),
        address.fill(|_| Ok::<(), OpenError>(())).err(),
    ];
    for error in refused {
        let said = error.expect("it is refused").to_string();
        assert!(said.starts_with("this program was built without PostgreSQL"), "{said}");
        assert!(!said.contains("hunter2") && said.lines().count() == 1, "{said}");
    }
}
