import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "fastify",
  name: "Fastify",
  major: 5,
  versions: ["fastify"],
  example: "fastify",
  start: ["node", "src/server.ts"],
  options: { "src/server.ts": ['trustProxy: "loopback"'] },
  pages: true,
  client: false,
})
