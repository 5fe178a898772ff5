import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "solid-start",
  name: "SolidStart",
  major: 2,
  example: "solid-start",
  build: [["vite", "build"]],
  start: ["node", ".output/server/index.mjs"],
  basePath: "/api/auth",
  pages: true,
  client: true,
})
