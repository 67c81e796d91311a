//! Followers of the feed beside people who play: each gets everything, once, in order, while it happens.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client;
use acceptance::{Client, Dice, Table};

/// How many clients play.
const CLIENTS: u64 = 16;

/// How many matches each client opens at least, however slow the machine is.
const ROUNDS_LEAST: usize = 8;

/// What tells one event of the feed from all others, and what it is.
type Seen = (u64, String, u64, String);

fn seen(entry: &Value) -> Seen {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let number = |value: &Value| value.as_u64().expect("a number");
    let (position, version) = (number(&entry["position"]), number(&entry["version"]));
    (position, text(&entry["match"]), version, text(&entry["event"]["type"]))
}

/// Somebody who reads the feed again and again, each time from where the last read ended.
struct Follower {
    how: How,
    /// A filter for the query, which may be empty.
    filter: &'static str,
    wanted: fn(&Seen) -> bool,
}

#[derive(Clone, Copy)]
enum How {
    /// By pages of so many events.
    Pages(usize),
    Lines,
}

impl Follower {
    /// Follows until there is nothing new after everybody has stopped to play.
    fn follow(&self, client: &Client, all_stopped: &AtomicBool) -> Vec<Seen> {
        let (mut followed, mut after) = (Vec::new(), "0".to_owned());
        loop {
            let was_last = all_stopped.load(Ordering::Acquire);
            let before = followed.len();
            match self.how {
                How::Pages(limit) => self.pages(client, limit, &mut after, &mut followed),
                How::Lines => self.lines(client, &mut after, &mut followed),
            }
            if was_last && followed.len() == before {
                return followed;
            }
        }
    }

    fn pages(&self, client: &Client, limit: usize, after: &mut String, followed: &mut Vec<Seen>) {
        loop {
            let page = client.feed(&format!("after={after}&limit={limit}{}", self.filter)).ok();
            followed.extend(page["items"].as_array().expect("items").iter().map(seen));
            if let Some(next) = page["next"].as_str() {
                next.clone_into(after);
            } else {
                *after = page["position"]
                    .as_u64()
                    .or(followed.last().map(|l| l.0))
                    .unwrap_or(0)
                    .to_string();
                return;
            }
        }
    }

    fn lines(&self, client: &Client, after: &mut String, followed: &mut Vec<Seen>) {
        let answer = client.feed_lines(&format!("after={after}{}", self.filter));
        followed.extend(answer.lines().iter().map(seen));
        answer.header("feed-position").expect("where the lines end").clone_into(after);
    }
}

/// Opens matches, joins, plays, takes back and closes, as it comes, until the time is over.
fn play(client: &Client, seed: u64, until: Instant) {
    let mut dice = Dice::new(seed);
    let mut rounds = 0;
    while rounds < ROUNDS_LEAST || Instant::now() < until {
        rounds += 1;
        let open = dice.below(3) == 0;
        let seats = match dice.below(4) {
            0 => json!([{"name": "Ada"}, {"bot": "random"}]),
            _ => json!([{"name": "Ada"}, {"open": open}]),
        };
        let visibility = if dice.below(8) == 0 { "private" } else { "public" };
        let body = json!({"game": "rosenkoenig", "options": {"start": "red"}, "seats": seats,
            "visibility": visibility, "take_back": true});
        let mut table = Table::open(client, &body);
        if seats[1]["open"] == true {
            table.join(1, &json!({"name": "Ben"}));
        }
        if seats[1]["bot"].is_null() {
            turns(&table, &mut dice);
        }
        if dice.below(2) == 0 {
            let closed = table.owner().close(&table.id).status;
            assert!(closed == 200 || closed == 409, "{closed}");
        }
    }
}

fn turns(table: &Table, dice: &mut Dice) {
    for _ in 0..dice.below(8) {
        let Some(seat) = table.active() else { return };
        table.play(dice, 1);
        if dice.below(3) == 0 {
            let taken_back = table.seat(seat).take_back(&table.id).status;
            assert!([201, 409, 422].contains(&taken_back), "{taken_back}");
        }
    }
}

#[test]
fn followers_of_the_feed_miss_nothing() {
    let seconds = std::env::var("FOLLOW_SECONDS").map_or(3, |n| n.parse().expect("a number"));
    let (client, _server) = client();
    let followers = [
        Follower { how: How::Pages(37), filter: "", wanted: |_| true },
        Follower { how: How::Lines, filter: "", wanted: |_| true },
        Follower { how: How::Pages(100), filter: "&game=rosenkoenig", wanted: |_| true },
        Follower { how: How::Pages(5), filter: "&game=voluspa", wanted: |_| false },
        Follower {
            how: How::Lines,
            filter: "&type=CommandTakenBack",
            wanted: |(.., kind)| kind == "CommandTakenBack",
        },
        Follower {
            how: How::Pages(10),
            filter: "&type=MatchStarted",
            wanted: |(.., kind)| kind == "MatchStarted",
        },
    ];
    let all_stopped = AtomicBool::new(false);
    let mut end = 0;
    let followed: Vec<Vec<Seen>> = thread::scope(|scope| {
        let follow = |follower| {
            let (client, all_stopped) = (&client, &all_stopped);
            scope.spawn(move || Follower::follow(follower, client, all_stopped))
        };
        let following: Vec<_> = followers.iter().map(follow).collect();
        let until = Instant::now() + Duration::from_secs(seconds);
        let players: Vec<_> = (0..CLIENTS)
            .map(|seed| {
                let client = &client;
                scope.spawn(move || play(client, seed, until))
            })
            .collect();
        players.into_iter().for_each(|player| player.join().expect("nobody fails"));
        end = client.feed_lines("").lines().last().map_or(0, |entry| seen(entry).0);
        all_stopped.store(true, Ordering::Release);
        following.into_iter().map(|follower| follower.join().expect("nobody fails")).collect()
    });
    let all: Vec<Seen> =
        Table::pages(1000, |query| client.feed(query).ok()).iter().map(seen).collect();
    assert!(all.is_sorted_by(|one, other| (one.0, one.2) < (other.0, other.2)));
    // Bots play on: what comes after `end` may have come after a follower stopped.
    for (follower, followed) in followers.iter().zip(&followed) {
        let wanted = all.iter().filter(|entry| entry.0 <= end && (follower.wanted)(entry));
        let wanted: Vec<&Seen> = wanted.collect();
        let followed: Vec<&Seen> = followed.iter().filter(|entry| entry.0 <= end).collect();
        let missed = wanted.iter().filter(|entry| followed.binary_search(entry).is_err()).count();
        println!("{:?}: missed {missed} of {} events", follower.filter, wanted.len());
        assert!(followed == wanted, "{:?}: {missed} missed, or out of order", follower.filter);
    }
    assert!(all.len() > 1000, "only {} events: the test proves little", all.len());
}

/// More matches than these are looked at while others are opened, unless that takes so long.
const FOLLOWED: usize = 20;
/// So many by each client are together less than the 1,000 that one page of the list holds.
const LISTED: usize = 60;

#[test]
fn what_the_feed_shows_is_in_the_list_and_can_be_read() {
    let (client, _server) = client();
    let (stopped, followed) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut after = "0".to_owned();
            while !stopped.load(Ordering::Acquire) {
                let page = client.feed(&format!("after={after}&type=MatchStarted&limit=50")).ok();
                let listed = client.matches("limit=1000").items();
                for entry in page["items"].as_array().expect("items") {
                    let id = entry["match"].as_str().expect("an id");
                    assert!(listed.iter().any(|item| item["match"] == *id), "{id} is not listed");
                    assert_eq!(client.view(id, "at=1").status, 200);
                    followed.fetch_add(1, Ordering::AcqRel);
                }
                after = page["position"].to_string();
                if let Some(next) = page["next"].as_str() {
                    next.clone_into(&mut after);
                }
            }
        });
        let openers: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    // At least so many, and until enough were followed while others were opened; never more than one page of the list holds.
                    let is_early = || followed.load(Ordering::Acquire) <= FOLLOWED;
                    let goes_on = |opened: &usize| *opened < 30 || (*opened < LISTED && is_early());
                    (0..).take_while(goes_on).for_each(|_| drop(Table::rosenkoenig(&client)));
                })
            })
            .collect();
        openers.into_iter().for_each(|opener| opener.join().expect("nobody fails"));
        stopped.store(true, Ordering::Release);
        watcher.join().expect("nobody fails");
    });
    let followed = followed.into_inner();
    assert!(followed > FOLLOWED, "only {followed} matches: the test proves little");
}
