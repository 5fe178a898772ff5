import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"
import credentials from "@latchkey/hono/providers/credentials"
import { openBrowser } from "@latchkey/testing"
import { Hono } from "hono"
import { expect, onTestFinished, test } from "vitest"
import { createAuth } from "../src/index.js"

const password = credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })

test("served by Node, a user signs in on the built-in page and gets a renewed session", async () => {
  const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
  const auth = createAuth({ secret, trustHost: true, providers: [password], session: { updateAge: 0 } })
  const app = new Hono()
  app.use(auth.routes)
  app.get("/account", auth.requireSession, (c) => c.json(c.var.session.user?.name))
  const server = createAdaptorServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = openBrowser({ origin, handle: (request) => fetch(request, { redirect: "manual" }) })
  await browser.get("/auth/signin?callbackUrl=%2Faccount")
  await browser.submitForm("credentials", { name: "ada" })
  expect(browser.text).toBe('"ada"')
  expect(browser.response.headers.getSetCookie()).toHaveLength(1)
})
