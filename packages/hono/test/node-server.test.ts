import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"
import credentials from "@latchkey/hono/providers/credentials"
import { openBrowser } from "@latchkey/testing"
import { Hono } from "hono"
import { expect, onTestFinished, test } from "vitest"
import { createAuth } from "../src/index.js"

const password = credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })

async function served() {
  const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
  const auth = createAuth({ secret, trustHost: true, providers: [password], session: { updateAge: 0 } })
  const app = new Hono()
  app.use(auth.routes)
  app.get("/account", auth.requireSession, (c) => c.json(c.var.session.user?.name))
  const server = createAdaptorServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return () => openBrowser({ origin, handle: (request) => fetch(request, { redirect: "manual" }) })
}

test("served by Node, a user signs in on the built-in page and gets a renewed session", async () => {
  const browser = (await served())()
  await browser.get("/auth/signin?callbackUrl=%2Faccount")
  await browser.submitForm("credentials", { name: "ada" })
  expect(browser.text).toBe('"ada"')
  expect(browser.response.headers.getSetCookie()).toHaveLength(1)
})

test("served by Node, which replaces `Response`, no visitor gets the cookies of another", async () => {
  const open = await served()
  const [user, visitor] = [open(), open()]
  await user.get("/auth/signin?callbackUrl=%2Faccount")
  await user.submitForm("credentials", { name: "ada" })
  await user.session()
  expect(await visitor.session()).toBeNull()
  expect(visitor.cookies).toEqual([])
  const tokens = [await user.csrf(), await visitor.csrf()]
  expect(new Set(tokens).size).toBe(2)
  expect(visitor.cookies.map(({ name }) => name)).toEqual(["authjs.csrf-token"])
})
