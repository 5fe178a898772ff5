import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "elysia",
  name: "Elysia",
  major: 1,
  example: "elysia",
  start: ["node", "src/server.ts"],
  pages: true,
  client: false,
})
