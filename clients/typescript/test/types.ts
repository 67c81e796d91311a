// What the packages promise to a type checker. `tsc` reads this file; what it says is not run.

import { Muninn, Problem, type Match, type MatchState, type Schemas } from "@muninn/client";
import { Board, useLegal, useMatch } from "@muninn/react";

const muninn = new Muninn("http://127.0.0.1:8080");

export async function paths(id: string): Promise<string> {
  const page = await muninn.get("/v1/matches", { game: "voluspa", limit: 10 });
  const view: Schemas["View"] = await muninn.get("/v1/matches/{id}/view", { id, at: 3 });
  const [step] = await muninn.get("/v1/matches/{id}/view/patch", { id, since: 3 });
  const op: string | undefined = step?.op;
  const picture: string = await muninn.get("/v1/matches/{id}/board.svg", { id });
  const table: ArrayBuffer = await muninn.get("/v1/tables/{table}.parquet", { table: "seats" });
  const archive: ArrayBuffer = await muninn.get("/v1/tables.tar", {});
  const rows: string = await muninn.get("/v1/tables/{table}.csv", { table: "seats" });
  await muninn.get("/v1/stats/{game}", { game: "rosenkoenig", options: { "option.light": "true" } });
  const address: string = muninn.address("/v1/matches/{id}/board.svg", { id, shape: "tall" });
  // @ts-expect-error: there is no such path
  muninn.address("/v1/picture", { id });
  // @ts-expect-error: there is no such path
  await muninn.get("/v1/match", {});
  // @ts-expect-error: the id is missing
  await muninn.get("/v1/matches/{id}/view", { at: 3 });
  // @ts-expect-error: that game does not exist
  await muninn.open({ game: "chess", seats: [] });
  return `${page.items.length} ${view.game} ${picture.length} ${table.byteLength + archive.byteLength + rows.length} ${address} ${op}`;
}

export async function halves(match: Match): Promise<number> {
  const { completions } = await match.complete({ type: "PlaceTile", spot: "cell:0,0" });
  // @ts-expect-error: there is no such command
  await match.complete({ type: "PlaceTiel" });
  // @ts-expect-error: no command has such a field
  await match.complete({ type: "PlaceTile", celll: null });
  // @ts-expect-error: half a command is not carried out
  await match.submit({ type: "PlaceTile" });
  return completions?.length ?? 0;
}

export function told(state: MatchState): string {
  const { view } = state;
  if (!view) return "nothing yet";
  switch (view.game) {
    case "rosenkoenig": return `the crown is on ${view.crown.x}, ${view.crown.y}`;
    default: return view.game;
  }
}

export function refused(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  // @ts-expect-error: there is no such code
  if (error.code === "no_such_code") return "";
  return error.code === "illegal_command" ? `rule ${error.rule}` : error.message;
}

export function Table({ id, token }: { id: string; token: string }) {
  const [state, match] = useMatch({ server: "http://127.0.0.1:8080", match: id, token });
  const legal = useLegal(match);
  legal.click("cell:1,2");
  // @ts-expect-error: there is no such theme
  Board({ match, theme: "pink" });
  return state.version ? Board({ match, theme: "dark" }) : null;
}
