import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "express-4",
  name: "Express",
  major: 4,
  example: "express",
  start: ["node", "src/server.ts"],
  packages: { express: "express-4" },
  pages: false,
  client: false,
})
