import express from "express"
import { auth } from "./auth.ts"
import { accountPage, homePage, signInPage } from "./pages.ts"

const app = express()
app.set("trust proxy", "loopback") // a reverse proxy on the same machine
app.use(auth.routes)
app.use(express.static("public"), express.urlencoded({ extended: false }))

app.get("/", auth.session, (_req, res) => void res.send(homePage(res.locals.session)))

app.get("/account", auth.requireSession, (_req, res) => void res.send(accountPage(res.locals.session)))

app.post("/account", auth.requireSession, async (req, res) => {
  await auth.update(req, res, { user: { name: String(req.body.name) } })
  res.redirect(303, "/account")
})

app.get("/api/account", auth.requireSession, (_req, res) => {
  const { email, name } = res.locals.session.user
  res.json({ email, name })
})

app.get("/api/csrf-token", async (req, res) => {
  res.json({ csrfToken: await auth.csrfToken(req, res) })
})

app.get("/sign-in", (req, res) => {
  const { callbackUrl, error } = req.query
  res.send(signInPage({ callbackUrl: text(callbackUrl), error: text(error) }))
})

app.post("/sign-in", async (req, res) => {
  const { email, password, callbackUrl } = req.body
  const fields = { email, password, redirectTo: text(callbackUrl), redirect: false }
  const { to, error } = await auth.signIn(req, res, "credentials", fields)
  if (error === undefined) return res.redirect(303, to)
  res.status(401).send(signInPage({ callbackUrl: text(callbackUrl), error: error.type }))
})

app.post("/sign-in/start", async (req, res) => {
  await auth.signIn(req, res, undefined, { redirectTo: "/account" })
})

app.post("/sign-out", async (req, res) => {
  await auth.signOut(req, res, { redirectTo: "/" })
})

/** A field of a form or query, unless it's empty or repeated. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

const { PORT = "3000", HOST = "localhost" } = process.env
const server = app.listen(Number(PORT), HOST, () => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : PORT
  console.log(`Harbor is at http://${HOST}:${port}`)
})
