import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "fastify",
  name: "Fastify",
  major: 5,
  example: "fastify",
  start: ["node", "src/server.ts"],
  pages: true,
  client: false,
})
