import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "express",
  name: "Express",
  major: 5,
  versions: ["express"],
  example: "express",
  start: ["node", "src/server.ts"],
  options: { "src/server.ts": ['app.set("trust proxy", "loopback")'] },
  pages: false,
  client: false,
})
