import { node } from "@elysiajs/node"
import { Elysia, t } from "elysia"
import { readFileSync } from "node:fs"
import { auth } from "./auth.ts"
import { accountPage, homePage, signInPage } from "./pages.ts"

const text = t.Optional(t.String())
const fields = t.Object({ email: text, password: text, callbackUrl: text })
const style = readFileSync(new URL("../public/style.css", import.meta.url), "utf8")

const app = new Elysia("Bun" in globalThis ? {} : { adapter: node() })
  .use(auth)
  .get("/", async ({ auth }) => html(homePage(await auth.getSession())))
  .get("/account", ({ session }) => html(accountPage(session)), { requireSession: true })
  .post(
    "/account",
    async ({ auth, body }) => {
      await auth.update({ user: { name: body.name } })
      return seeOther("/account")
    },
    { requireSession: true, body: t.Object({ name: t.String() }) },
  )
  .get("/api/account", ({ session: { user } }) => ({ email: user.email, name: user.name }), { requireSession: true })
  .get("/api/csrf-token", async ({ auth }) => ({ csrfToken: await auth.csrfToken() }))
  .get("/sign-in", ({ query }) => html(signInPage(query)), { query: t.Object({ callbackUrl: text, error: text }) })
  .post(
    "/sign-in",
    async ({ auth, body: { email, password, callbackUrl = "" } }) => {
      const redirectTo = callbackUrl === "" ? undefined : callbackUrl
      const { to, error } = await auth.signIn("credentials", { email, password, redirectTo, redirect: false })
      const form = `/sign-in?${new URLSearchParams({ callbackUrl, error: error?.type ?? "" }).toString()}`
      return seeOther(error === undefined ? to : form)
    },
    { body: fields },
  )
  .post("/sign-in/start", ({ auth }) => auth.signIn(undefined, { redirectTo: "/account" }))
  .post("/sign-out", ({ auth }) => auth.signOut({ redirectTo: "/" }))
  .get("/style.css", () => new Response(style, { headers: { "content-type": "text/css" } }))

function html(page: string): Response {
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Elysia's `redirect` doesn't accept paths on Node. */
function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}

const { PORT = "3000", HOST = "localhost" } = process.env
app.listen({ port: Number(PORT), hostname: HOST }, () => console.log(`Harbor is at http://${HOST}:${PORT}`))
