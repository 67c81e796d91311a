// Can a program play every game to its end, and tell what happened, with nothing but the generated types? No cast, no any.
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./muninn.js";

type Schemas = components["schemas"];
const muninn = createClient<paths>({ baseUrl: process.env.MUNINN ?? "http://127.0.0.1:8080" });

/** What an answer holds; a problem becomes an error that says which rule was broken. */
function known<T>({ data, error }: { data?: T; error?: Schemas["Problem"] }): T {
  if (data === undefined) throw new Error(`${error?.code} ${error?.rule ?? ""}: ${error?.detail}`);
  return data;
}

function any<T>(items: T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

/** The seats know the printed rules as little as this program: they do anything legal, but sail home where they may. */
function choose(legal: Schemas["CommandPage"]): Schemas["Command"] {
  if (legal.game !== "delphi") return any<Schemas["Command"]>(legal.items);
  const home = legal.items.find((command) => command.type === "MoveShip" && command.to.q === 0 && command.to.r === 0);
  return home ?? any(legal.items);
}

/** Acts. Under one key a command is carried out once, however often it is asked for: so where nobody knows the outcome, ask again. */
async function submit(id: string, token: string, body: Schemas["CommandRequest"]): Promise<Schemas["Accepted"]> {
  const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() };
  for (;;) {
    const answer = await muninn.POST("/v1/matches/{id}/commands", { params: { path: { id } }, headers, body });
    if (answer.error?.code !== "outcome_unknown") return known(answer);
    await new Promise((wake) => setTimeout(wake, 5000));
  }
}

/** Plays a match to its end, each seat with its own token; the version that is expected keeps two windows from acting twice. */
async function play(body: Schemas["OpenRequest"]): Promise<Schemas["MatchInfo"]> {
  const { match: id, seat_tokens } = known(await muninn.POST("/v1/matches", { body }));
  const params = { path: { id } };
  let view = known(await muninn.GET("/v1/matches/{id}/view", { params }));
  let { version: expected_version } = known(await muninn.GET("/v1/matches/{id}", { params }));
  while (view.active_seat !== null) {
    const token = seat_tokens[view.active_seat] ?? "";
    const headers = { Authorization: `Bearer ${token}` };
    const legal = known(await muninn.GET("/v1/matches/{id}/legal-commands", { params, headers }));
    const command = choose(legal);
    const done = await submit(id, token, { command, expected_version });
    ({ view, version: expected_version } = done);
  }
  return known(await muninn.GET("/v1/matches/{id}", { params }));
}

/** A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done. */
async function homewards(): Promise<Schemas["DelphiPosition"]> {
  for (;;) {
    const { position } = known(await muninn.POST("/v1/games/{game}/positions", {
      params: { path: { game: "delphi" } },
      body: { options: { map: "random", ships: "lot" }, seats: 3 },
    }));
    if (position.game !== "delphi") throw new Error(`asked for Delphi, got ${position.game}`);
    const players = position.players.map((player) => ({ ...player, tasks: { shrine: 0, statue: [], offering: [], monster: [] } }));
    if (position.pending.length === 0) return { ...position, players };
  }
}

/** One line for each event of Rosenkönig. An event that is added later does not compile until it is told. */
function tell(event: Schemas["RosenkoenigEventView"]): string {
  switch (event.type) {
    case "MatchStarted": return `seat ${event.start_seat} begins, hands ${event.hands.map((hand) => hand.join(" ")).join(" | ")}`;
    case "CardPlayed": return `seat ${event.seat} plays ${event.card}`;
    case "HeroSpent": return `with a hero, ${event.heroes_left} left`;
    case "StonePlaced": return `a ${event.color} stone lies on ${event.at.x}, ${event.at.y}, ${event.stones_left} left`;
    case "StoneFlipped": return `the stone on ${event.at.x}, ${event.at.y} turns ${event.color}`;
    case "CrownMoved": return `the crown goes to ${event.to.x}, ${event.to.y}`;
    case "DrawPileReshuffled": return "the discard pile is shuffled";
    case "CardDrawn": return `seat ${event.seat} draws ${event.card}, ${event.draw_pile_left} left`;
    case "TurnPassed": return `seat ${event.seat} cannot act`;
    case "TurnStarted": return `seat ${event.seat} is to act`;
    case "ScoreAwarded": return `seat ${event.seat}: ${event.points} points from ${event.breakdown.length} areas`;
    case "MatchFinished": return `the end (${event.reason}): ${event.standing.map((place) => `${place.rank}. ${place.color}`).join(", ")}`;
    case "PositionLoaded": return `begun from a position, crown on ${event.position.crown.x}, ${event.position.crown.y}`;
    case "TableOpened": return `opened by ${event.engine} with ${event.seats.length} seats, edition ${event.edition}`;
    case "SeatTaken": return `seat ${event.seat} sits down`;
    case "MatchClosed": return `closed by the ${event.by}`;
    case "ReplyRefused": return `seat ${event.seat} does not follow its script: reply ${event.reply} breaks ${event.rule}`;
    case "CommandTakenBack": return `seat ${event.seat} takes back to version ${event.to_version}`;
    default: return event satisfies never;
  }
}

/** The whole log, page by page. */
async function log(id: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Schemas["EventPage"] = known(await muninn.GET("/v1/matches/{id}/events", { params: { path: { id }, query: { after, limit: 50 } } }));
    if (page.game === "rosenkoenig") lines.push(...page.items.map(({ version, event }) => `${version} ${tell(event)}`));
    after = page.next === null ? null : Number(page.next);
  }
  return lines;
}

/** Who won, in the words of each game. */
function result(match: Schemas["MatchInfo"]): string {
  switch (match.game) {
    case "rosenkoenig": return `${match.standing?.[0]?.color} with ${match.standing?.[0]?.points} points`;
    case "voluspa": return `seat ${match.standing?.[0]?.seat} with ${match.standing?.[0]?.display} points`;
    case "copenhagen": return `seat ${match.standing?.[0]?.seat} with ${match.standing?.[0]?.score} points`;
    case "delphi": return `seat ${match.standing?.[0]?.seat}, home ${match.standing?.[0]?.home}`;
  }
}

const seats = (count: number): Schemas["SeatRequest"][] => Array.from({ length: count }, (_, seat) => ({ name: `player ${seat}` }));

const rosenkoenig = await play({ game: "rosenkoenig", seats: seats(2), options: { show_draw_pile: true } });
const lines = await log(rosenkoenig.match);
console.log([...lines.slice(0, 6), "...", ...lines.slice(-3)].join("\n"));
if (lines.length !== rosenkoenig.version) throw new Error(`${lines.length} lines, ${rosenkoenig.version} events`);

for (const match of [
  rosenkoenig,
  await play({ game: "voluspa", seats: seats(3), options: { set: "master_of_ravens", lightning_bolt: true } }),
  await play({ game: "copenhagen", seats: seats(4) }),
  await play({ game: "delphi", seats: seats(3), position: await homewards() }),
]) {
  if (match.status !== "finished") throw new Error(`${match.game} is ${match.status}`);
  console.log(`${match.game}: won by ${result(match)}, ${match.commit} commits, ${match.version} events`);
}
