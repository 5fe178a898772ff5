import { readFileSync } from "node:fs"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const server = readFileSync(new URL("../../examples/elysia/src/server.ts", import.meta.url), "utf8")

/** The routes of `step-up.ts`. */
const routes = `.get("/transfer", ({ session }) => html(accountPage(session)), { requireSession: { maxAge: "1h" } })
  .get(
    "/api/transfer",
    async ({ auth, session: { user } }) => ({ email: user.email, problem: (await auth.token("op")).problem }),
    { requireSession: { maxAge: "1h" } },
  )
  `

frameworkSuite(
  {
    id: "elysia",
    name: "Elysia",
    major: 1,
    versions: ["elysia", "@elysiajs/node"],
    example: "elysia",
    start: ["node", "src/server.ts"],
    files: { "src/server.ts": server.replace('.get("/api/csrf-token"', `${routes}$&`) },
    pages: true,
    client: false,
  },
  stepUp,
)
