import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "hono-bun",
  name: "Hono",
  major: 4,
  variant: "on Bun",
  versions: ["hono"],
  runtime: "bun",
  example: "hono",
  start: ["bun", "src/bun.ts"],
  files: {
    "src/bun.ts": `import { app } from "./app.ts"

const { PORT, HOST } = process.env
export default { port: PORT, hostname: HOST, fetch: app.fetch }
`,
  },
  pages: false,
  client: false,
})
