import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "elysia",
  name: "Elysia",
  major: 1,
  versions: ["elysia", "@elysiajs/node"],
  example: "elysia",
  start: ["node", "src/server.ts"],
  pages: true,
  client: false,
})
