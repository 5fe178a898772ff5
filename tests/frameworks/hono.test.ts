import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "hono",
  name: "Hono",
  major: 4,
  versions: ["hono", "@hono/node-server"],
  example: "hono",
  start: ["node", "src/server.ts"],
  pages: false,
  client: false,
})
