import { readFileSync } from "node:fs"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const server = readFileSync(new URL("../../examples/fastify/src/server.ts", import.meta.url), "utf8")

/** The routes of `step-up.ts`. */
const routes = `const recent = { preHandler: requireSession({ maxAge: "1h" }) }
app.get("/transfer", recent, async (request, reply) => reply.type("text/html").send(accountPage(request.authSession)))
app.get("/api/transfer", recent, async (request) => {
  const { problem } = await request.authToken("op")
  return { email: request.authSession.user.email, problem }
})

`

frameworkSuite(
  {
    id: "fastify",
    name: "Fastify",
    major: 5,
    versions: ["fastify"],
    example: "fastify",
    start: ["node", "src/server.ts"],
    files: { "src/server.ts": server.replace('app.get("/api/csrf-token"', `${routes}$&`) },
    options: { "src/server.ts": ['trustProxy: "loopback"'] },
    pages: true,
    client: false,
  },
  stepUp,
)
