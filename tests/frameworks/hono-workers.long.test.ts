import { filesIn } from "./files.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "hono-workers",
  name: "Hono",
  major: 4,
  variant: "on Cloudflare Workers",
  versions: ["hono", "miniflare"],
  example: "hono",
  build: [["node", "node_modules/rolldown/bin/cli.mjs", "--config", "rolldown.config.mjs"]],
  start: ["node", "workers.mjs"],
  options: { "workers.mjs": ['compatibilityDate: "2026-07-01"', 'compatibilityFlags: ["nodejs_compat"]'] },
  ownServer: "it starts `workerd` with Miniflare, and D1 instead of SQLite",
  tools: ["miniflare", "rolldown"],
  files: filesIn("apps/hono-workers"),
  pages: false,
  client: false,
})
