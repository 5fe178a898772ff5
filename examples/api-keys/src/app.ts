import { type Context, Hono } from "hono"
import { createMiddleware } from "hono/factory"
import { auth, log } from "./auth.ts"

const ships = ["Argo", "Beagle"]

/** Lets a request with an API key through that allows this. */
const requireKey = (scope: string) =>
  createMiddleware<{ Variables: { userId: string } }>(async (c, next) => {
    const key = await auth["api-keys"].verify(c.req.raw, { scope })
    if (!key.ok) return key.toResponse()
    c.set("userId", key.userId)
    return next()
  })

export const app = new Hono()
app.use(auth.routes)

app.get("/", (c) => c.html(`<!doctype html><title>Harbor</title><a href="/auth/account">Create an API key</a>`))

app.get("/api/ships", requireKey("ships:read"), (c) => c.json({ userId: c.var.userId, ships }))

app.post("/api/ships", requireKey("ships:write"), async (c: Context) => {
  ships.push(String((await c.req.json<{ name?: unknown }>()).name))
  return c.json({ ships }, 201)
})

app.get("/api/activity", requireKey("ships:read"), async (c) => {
  const { entries, next } = await log.query({ userId: c.var.userId, limit: 20, after: c.req.query("after") })
  return c.json({ activity: entries.map(({ at, name, outcome }) => ({ at, name, outcome })), next })
})
