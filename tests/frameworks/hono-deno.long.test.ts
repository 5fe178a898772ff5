import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "hono-deno",
  name: "Hono",
  major: 4,
  variant: "on Deno",
  versions: ["hono"],
  runtime: "deno",
  example: "hono",
  start: ["deno", "run", "--allow-all", "src/deno.ts"],
  files: {
    "src/deno.ts": `import { app } from "./app.ts"

Deno.serve({ port: Number(Deno.env.get("PORT")), hostname: Deno.env.get("HOST") }, app.fetch)
`,
  },
  pages: false,
  client: false,
})
