import { readFileSync } from "node:fs"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const server = readFileSync(new URL("../../examples/hono/src/server.ts", import.meta.url), "utf8")

/** The routes of \`step-up.ts\`. */
const routes = `app.get("/transfer", auth.requireSession({ maxAge: "1h" }), (c) => c.html(accountPage(c.var.session)))
app.get("/api/transfer", auth.requireSession({ maxAge: "1h" }), async (c) => {
  const { problem } = await auth.token(c, "op")
  return c.json({ email: c.var.session.user.email, problem })
})

`

frameworkSuite(
  {
    id: "hono",
    name: "Hono",
    major: 4,
    versions: ["hono", "@hono/node-server"],
    example: "hono",
    start: ["node", "src/server.ts"],
    files: {
      "src/server.ts": `import { auth } from "./auth.ts"
import { accountPage } from "./pages.ts"
${server.replace("serve({ fetch", `${routes}serve({ fetch`)}`,
    },
    pages: false,
    client: false,
  },
  stepUp,
)
