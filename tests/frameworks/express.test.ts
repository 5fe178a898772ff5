import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "express",
  name: "Express",
  major: 5,
  example: "express",
  start: ["node", "src/server.ts"],
  pages: false,
  client: false,
})
