import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "qwik",
  name: "Qwik",
  major: 1,
  example: "./apps/qwik",
  build: [
    ["vite", "build"],
    ["vite", "build", "--config", "vite.server.config.ts"],
  ],
  start: ["node", "server/entry.node-server.js"],
  pages: true,
  client: false,
  except: { "urls.auth-url": "As with `@auth/qwik`, the path of the routes is in the configuration" },
})
