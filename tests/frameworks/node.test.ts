import { readFileSync } from "node:fs"
import { ownSignInPage } from "./own-sign-in.js"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const server = readFileSync(new URL("../../examples/node/src/server.ts", import.meta.url), "utf8")

/** The routes of `step-up.ts`. */
const routes = `async "GET /transfer"(req, res) {
    const session = await auth.requireSession(req, res, { maxAge: "1h" })
    if (session !== null) sendPage(res, accountPage(session))
  },

  async "GET /api/transfer"(req, res) {
    const session = await auth.requireSession(req, res, { maxAge: "1h" })
    if (session === null) return
    const { problem } = await auth.token(req, res, "op")
    res.setHeader("content-type", "application/json")
    res.end(JSON.stringify({ email: session.user.email, problem }))
  },

  `

frameworkSuite(
  {
    id: "node",
    name: "node:http",
    major: 24,
    example: "node",
    start: ["node", "src/server.ts"],
    files: { "src/server.ts": server.replace('async "GET /api/csrf-token"', `${routes}$&`) },
    pages: false,
    client: false,
  },
  (served) => {
    ownSignInPage(served)
    stepUp(served)
  },
)
