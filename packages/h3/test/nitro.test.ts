import { H3Auth } from "@latchkey/h3"
import { openBrowser } from "@latchkey/testing"
import * as h3 from "h3-1"
import { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { forward } from "../../../tests/applications/http.js"
import { config, listen } from "./applications.js"

/** The event of a handler whose response is cached for everyone: Nitro removes the cookies, and keeps the context. */
function cachedEvent(event: h3.H3Event): h3.H3Event {
  const req = Object.create(event.node.req, { headers: { value: {} } })
  return Object.assign(h3.createEvent(req, new ServerResponse(event.node.req)), { context: event.context })
}

/** The event of a request that a page sends to its own server: Nitro 2 passes the context of the page on. */
function ownRequest(event: h3.H3Event): h3.H3Event {
  const req = Object.create(event.node.req, { __unenv__: { value: event.context } })
  return h3.createEvent(req, new ServerResponse(event.node.req))
}

async function application() {
  let reads = 0
  const auth = H3Auth({
    ...config,
    callbacks: {
      ...config.callbacks,
      session({ session }) {
        reads++
        return session
      },
    },
  })
  const nameIn = async (event: h3.H3Event) => (await auth.getServerSession(event))?.user?.name ?? null
  const router = h3
    .createRouter()
    .post(
      "/sign-in",
      h3.eventHandler(async (event) => auth.signIn(event, "credentials", await h3.readBody(event))),
    )
    .get(
      "/cached",
      h3.eventHandler(async (event) => [await nameIn(event), await nameIn(cachedEvent(event))]),
    )
    .get(
      "/page",
      h3.eventHandler(async (event) => {
        reads = 0
        return [await nameIn(event), await nameIn(ownRequest(event)), reads]
      }),
    )
    .get(
      "/renamed-inside",
      h3.eventHandler(async (event) => {
        await auth.update(ownRequest(event), { user: { name: "grace" } })
        return nameIn(event)
      }),
    )
  const origin = await listen(h3.toNodeListener(h3.createApp().use(auth.handler).use(router)))
  const browser = openBrowser({ origin, handle: async (request) => forward(request) })
  await browser.post("/sign-in", { name: "ada", password: "open sesame" })
  return browser
}

test("a handler whose response is cached for everyone has no session", async () => {
  const browser = await application()
  await browser.get("/cached")
  expect(JSON.parse(browser.text)).toEqual(["ada", null])
})

test("a page and its requests to its own server read the session once", async () => {
  const browser = await application()
  await browser.get("/page")
  expect(JSON.parse(browser.text)).toEqual(["ada", "ada", 1])
})

test("a session that changes in a page's own request reaches the page and the browser", async () => {
  const browser = await application()
  await browser.get("/renamed-inside")
  expect(browser.text).toContain("grace")
  expect(await browser.session()).toMatchObject({ user: { name: "grace" } })
})
