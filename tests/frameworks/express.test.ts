import { readFileSync } from "node:fs"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const server = readFileSync(new URL("../../examples/express/src/server.ts", import.meta.url), "utf8")

/** The routes of \`step-up.ts\`. */
const routes = `const recent = auth.requireSession({ maxAge: "1h" })
app.get("/transfer", recent, (_req, res) => void res.send(accountPage(res.locals.session)))
app.get("/api/transfer", recent, async (req, res) => {
  const { problem } = await auth.token(req, res, "op")
  res.json({ email: res.locals.session.user.email, problem })
})

`

frameworkSuite(
  {
    id: "express",
    name: "Express",
    major: 5,
    versions: ["express"],
    example: "express",
    start: ["node", "src/server.ts"],
    files: { "src/server.ts": server.replace("const { PORT", `${routes}const { PORT`) },
    options: { "src/server.ts": ['app.set("trust proxy", "loopback")'] },
    pages: false,
    client: false,
  },
  stepUp,
)
