// From zero to a played move, every field typed: npm install && npm run generate && npm run build && npm start
import createClient from "openapi-fetch";
import type { paths } from "./muninn.js";

const muninn = createClient<paths>({ baseUrl: process.env.MUNINN ?? "http://127.0.0.1:8080" });

const { data: match, error } = await muninn.POST("/v1/matches", {
  body: { game: "rosenkoenig", options: { start: "red" }, seats: [{ name: "Ada" }, { name: "Grace" }] },
});
if (error) throw new Error(error.detail);
const params = { path: { id: match.match } };
const headers = { Authorization: `Bearer ${match.seat_tokens[0]}` };

const legal = await muninn.GET("/v1/matches/{id}/legal-commands", { params, headers });
const command = legal.data?.items[0];
if (!command) throw new Error(legal.error?.detail);

const played = await muninn.POST("/v1/matches/{id}/commands", { params, headers, body: { command } });
if (played.error) throw new Error(`${played.error.rule}: ${played.error.detail}`);
console.log(command, "is done: the match is at version", played.data.version);
