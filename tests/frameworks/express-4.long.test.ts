import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "express-4",
  name: "Express",
  major: 4,
  versions: ["express"],
  example: "express",
  start: ["node", "src/server.ts"],
  options: { "src/server.ts": ['app.set("trust proxy", "loopback")'] },
  packages: { express: "express-4" },
  pages: false,
  client: false,
})
