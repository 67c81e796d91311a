//! The client in 20 lines that docs/clients.md begins with, as pages of the server it is in.

/// The document that has it.
pub(crate) const CLIENTS: &str = include_str!("../../../docs/clients.md");

/// The server that it speaks to.
const ADDRESS: &str = "http://127.0.0.1:8080";

const BEGIN: &str = "<script type=\"module\">";
const END: &str = "</script>";

/// The lines as they are in the document.
fn lines() -> &'static str {
    let (_, rest) = CLIENTS.split_once("```html\n").expect("the document begins with a page");
    rest.split_once("```").expect("the page ends").0
}

/// The document before its script, the script, and what follows.
fn parts() -> (&'static str, &'static str, &'static str) {
    let (before, rest) = lines().split_once(BEGIN).expect("the page has a script");
    let (script, after) = rest.split_once(END).expect("its script ends");
    (before, script, after)
}

/// The page, with its script in a file of its own: the pages of a server run no others.
pub(crate) fn document() -> String {
    let (before, _, after) = parts();
    let icon = "<link rel=\"icon\" href=\"/pages/raven.svg\" type=\"image/svg+xml\">\n";
    let script = "<script type=\"module\" src=\"/pages/example.js\"></script>";
    let (head, body) = before.split_once("<p ").expect("the page begins with a line of text");
    format!("{head}{icon}<p {body}{script}{after}")
}

/// Its script, which speaks to the server that it comes from, whatever that is called.
pub(crate) fn script() -> String {
    let (_, script, _) = parts();
    let relative = script.replace(&format!("from \"{ADDRESS}/"), "from \"/");
    let relative = relative.replace(&format!("import \"{ADDRESS}/"), "import \"/");
    relative.replace(&format!("\"{ADDRESS}\""), "location.origin")
}

#[cfg(test)]
mod tests {
    use super::{ADDRESS, document, lines, script};

    #[test]
    fn the_example_speaks_to_the_server_that_it_comes_from() {
        let (document, script) = (document(), script());
        assert!(lines().lines().count() <= 24, "a client in 20 lines");
        assert!(!document.contains(ADDRESS) && !script.contains(ADDRESS), "{script}");
        assert!(script.contains("new Muninn(location.origin"), "{script}");
        assert!(script.contains("from \"/pages/client/index.js\""), "{script}");
        assert!(document.contains("<muninn-board>") && document.contains("example.js"));
    }
}
