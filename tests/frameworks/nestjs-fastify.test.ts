import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "nestjs-fastify",
  name: "NestJS on Fastify",
  major: 12,
  example: "nestjs",
  build: [["tsc", "-p", "."]],
  start: ["node", "dist/main.js"],
  env: { PLATFORM: "fastify" },
  pages: true,
  client: false,
})
