import { createAuth, useAuth, useSession } from "@latchkey/vue"
import { expect, test, vi } from "vitest"
import { createSSRApp, defineComponent, h } from "vue"
import { renderToString } from "vue/server-renderer"

const ada = { user: { name: "Ada" }, expires: "2099-01-01T00:00:00.000Z" }

const Greeting = defineComponent(() => {
  const { data, status } = useSession()
  return () => h("p", `${status.value}: ${data.value?.user?.name ?? "no name"}`)
})

test("a server renders the session that it passes, and sends no request", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  const app = createSSRApp(Greeting).use(createAuth({ session: ada, fetch }))
  expect(await renderToString(app)).toBe("<p>authenticated: Ada</p>")
  expect(fetch).not.toHaveBeenCalled()
})

test("without a session, a server renders the state in which a browser starts", async () => {
  expect(await renderToString(createSSRApp(Greeting).use(createAuth()))).toBe("<p>loading: no name</p>")
  expect(await renderToString(createSSRApp(Greeting).use(createAuth({ session: null })))).toBe(
    "<p>unauthenticated: no name</p>",
  )
})

test("the refs follow the client", () => {
  const auth = createAuth<typeof ada>({ session: null })
  const app = createSSRApp(Greeting).use(auth)
  const { data, status } = app.runWithContext(() => useSession())
  expect(status.value).toBe("unauthenticated")
  auth.client.adopt(ada)
  expect(status.value).toBe("authenticated")
  expect(data.value?.user?.name).toBe("Ada")
})

test("useAuth returns the client of the application", () => {
  const auth = createAuth()
  expect(createSSRApp(Greeting).use(auth).runWithContext(useAuth)).toBe(auth.client)
})

test("without the plugin, the error says what to do", () => {
  expect(() => createSSRApp(Greeting).runWithContext(() => useSession())).toThrow("app.use(createAuth())")
})
