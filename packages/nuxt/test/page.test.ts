import credentials from "@latchkey/core/providers/credentials"
import { NuxtAuth } from "@latchkey/nuxt/server"
import { openBrowser } from "@latchkey/testing"
import * as h3 from "h3"
import { expect, test } from "vitest"
import { forward } from "../../../tests/applications/http.js"
import { listen } from "../../h3/test/applications.js"

const auth = NuxtAuth({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  pages: { signIn: "/sign-in" },
  providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })],
})

/** Renders a page as the plugin of the Nuxt module does: with what the middleware has put into the context. */
function page(prepare: (event: h3.H3Event) => void = () => {}) {
  return h3.eventHandler(async (event) => {
    prepare(event)
    const { latchkey } = event.context
    h3.setResponseHeader(event, "cache-control", "public, max-age=60")
    return latchkey.page(event)
  })
}

async function application() {
  const router = h3
    .createRouter()
    .post(
      "/sign-in",
      h3.eventHandler((event) => auth.signIn(event, "credentials", { name: "ada", redirectTo: "/page" })),
    )
    .get("/page", page())
    .get(
      "/cached",
      page(({ context }) => Object.assign(context, { cache: {} })),
    )
    .get(
      "/isr",
      page(({ context }) => Object.assign(context, { _nitro: { routeRules: { isr: true } } })),
    )
  const origin = await listen(h3.toNodeListener(h3.createApp().use(auth.handler).use(router)))
  return openBrowser({ origin, handle: async (request) => forward(request) })
}

test("a page gets the session that the session route would send, and the paths of the routes", async () => {
  const browser = await application()
  await browser.get("/page")
  expect(JSON.parse(browser.text)).toEqual({ session: null, basePath: "/auth", signInPage: "/sign-in" })
  await browser.post("/sign-in")
  const { session } = JSON.parse(browser.text)
  expect(session).toEqual(await browser.session())
})

test("no shared cache stores a page with a session", async () => {
  const browser = await application()
  await browser.post("/sign-in")
  expect(browser.trail.at(-1)?.headers.get("cache-control")).toBe("private, no-store")
})

test.each(["/cached", "/isr"])("a page that is stored for several users has no session: %s", async (path) => {
  const browser = await application()
  await browser.post("/sign-in")
  await browser.get(path)
  expect(JSON.parse(browser.text)).toEqual({ basePath: "/auth", signInPage: "/sign-in" })
})
