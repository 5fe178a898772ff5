import { Hono } from "hono"
import { auth } from "./auth.ts"
import { accountPage, homePage, signInPage } from "./pages.ts"

export const app = new Hono()
app.use(auth.routes)

app.get("/", auth.session, (c) => c.html(homePage(c.var.session)))

app.get("/account", auth.requireSession, (c) => c.html(accountPage(c.var.session)))

app.post("/account", auth.requireSession, async (c) => {
  const { name } = await c.req.parseBody<{ name: string }>()
  await auth.update(c, { user: { name } })
  return c.redirect("/account", 303)
})

app.get("/api/account", auth.requireSession, (c) => {
  const { email, name } = c.var.session.user
  return c.json({ email, name })
})

app.get("/api/csrf-token", async (c) => c.json({ csrfToken: await auth.csrfToken(c) }))

app.get("/sign-in", (c) => c.html(signInPage(c.req.query())))

app.post("/sign-in", async (c) => {
  const { email, password, callbackUrl } = await c.req.parseBody()
  const redirectTo = typeof callbackUrl === "string" && callbackUrl !== "" ? callbackUrl : undefined
  const { to, error } = await auth.signIn(c, "credentials", { email, password, redirectTo, redirect: false })
  if (error === undefined) return c.redirect(to, 303)
  return c.html(signInPage({ callbackUrl: redirectTo, error: error.type }), 401)
})

app.post("/sign-in/start", (c) => auth.signIn(c, undefined, { redirectTo: "/account" }))

app.post("/sign-out", (c) => auth.signOut(c, { redirectTo: "/" }))
