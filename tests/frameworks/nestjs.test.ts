import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "nestjs",
  name: "NestJS on Express",
  major: 12,
  example: "nestjs",
  build: [["tsc", "-p", "."]],
  start: ["node", "dist/main.js"],
  pages: true,
  client: false,
})
