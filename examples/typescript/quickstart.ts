// From zero to a played move, every field typed: npm install && npm run generate && npm run build && npm start
import createClient from "openapi-fetch";
import type { components, paths } from "./muninn.js";

type Event = components["schemas"]["RosenkoenigEventView"];
const muninn = createClient<paths>({ baseUrl: process.env.MUNINN ?? "http://127.0.0.1:8080" });

const opened = await muninn.POST("/v1/matches", {
  body: { game: "rosenkoenig", seats: [{ name: "Ada" }, { name: "Grace" }], options: { start: "red" } },
});
if (opened.error) throw new Error(`${opened.error.code}: ${opened.error.detail}`);
const path = { id: opened.data.match };
const headers = { Authorization: `Bearer ${opened.data.seat_tokens[0]}` };

const legal = await muninn.GET("/v1/matches/{id}/legal-commands", { params: { path }, headers });
const command = legal.data?.items[0];
if (!command) throw new Error(legal.error?.detail);
const played = await muninn.POST("/v1/matches/{id}/commands", { params: { path }, headers, body: { command } });
if (!played.data) throw new Error("the command was refused");
console.log(command, "then version", played.data.version);

const log = await muninn.GET("/v1/matches/{id}/events", { params: { path } });
for (const { version, event } of log.data?.items ?? []) console.log(version, tell(event as Event));

function tell(event: Event): string {
  switch (event.type) {
    case "StonePlaced": return `a ${event.color} stone lies on ${event.at.x}, ${event.at.y}`;
    case "CardPlayed": return `seat ${event.seat} plays ${event.card}`;
    default: return event.type;
  }
}
