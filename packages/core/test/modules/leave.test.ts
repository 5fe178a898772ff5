import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule, type Leave, type RequestContext, route, type SignOutFacts } from "@latchkey/core/module"
import { createServer } from "@latchkey/core/server"
import { expect, test } from "vitest"
import { errors } from "./setup.js"
import { site, visitorOf } from "../account/setup.js"

type Say = (context: RequestContext, signOut: SignOutFacts) => Promise<Leave | null>

function leaver(id: string, say: Say) {
  const heard: SignOutFacts[] = []
  const module = defineModule({
    id,
    load: async () => ({
      leave: async (context, signOut) => {
        heard.push(signOut)
        return say(context, signOut)
      },
      routes: [
        route("GET", "bye", { session: "none" }, (context) =>
          context.forward(context.url("end", { hint: "a b", x: "1" })),
        ),
        route("POST", "end", { session: "none", csrf: false }, ({ json, request }) => json(request.fields)),
      ],
    }),
  })
  return { module, heard }
}

const toOwnPage: Say = async (context) => {
  context.setCookie("left", "yes", 60)
  return { to: context.url("bye"), headers: { "clear-site-data": '"storage"' } }
}

test("a module says where a sign-out leads, once the session has ended", async () => {
  const seen: unknown[] = []
  const { module, heard } = leaver("leaver", async (context, signOut) => {
    seen.push(await context.user())
    return toOwnPage(context, signOut)
  })
  const { browser, first } = await site(memoryAdapter(), { modules: [module], session: { strategy: "database" } })
  await browser.signInWith(first, { as: "ada" })
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post("/auth/signout", { csrfToken, scope: "federated", callbackUrl: "/home" })
  const [response] = browser.trail
  expect(response?.headers.get("clear-site-data")).toBe('"storage"')
  expect(browser.cookies.map(({ name }) => name)).toContain("__Host-authjs.leaver.left")
  expect(browser.location).toBe(`${browser.origin}/auth/leaver/bye`)
  expect(heard).toEqual([
    { session: expect.any(String), user: { id: expect.any(String) }, scope: "federated", to: `${browser.origin}/home` },
  ])
  expect(seen).toEqual([null])
  // The page posts the parameters of the URL to it.
  await browser.submitForm("end")
  expect(JSON.parse(browser.text)).toEqual({ hint: "a b", x: "1" })
})

test("server code gets the same URL and cookies", async () => {
  const { module } = leaver("leaver", toOwnPage)
  const { browser, config, first } = await site(memoryAdapter(), { modules: [module] })
  await browser.signInWith(first, { as: "ada" })
  const { to, cookies } = await createServer(config).signOut(visitorOf(browser), { scope: "all" })
  expect(to).toBe(`${browser.origin}/auth/leaver/bye`)
  expect(cookies.map(({ name }) => name)).toContain("__Host-authjs.leaver.left")
})

test("one that fails or says nothing changes nothing, and of two the first counts", async () => {
  const failing = leaver("a-failing", () => Promise.reject(new Error("The provider is down")))
  const silent = leaver("b-silent", async () => null)
  const { module } = leaver("leaver", toOwnPage)
  const quiet = await site(memoryAdapter(), { modules: [silent.module, failing.module] })
  await quiet.browser.signInWith(quiet.first, { as: "ada" })
  await quiet.browser.signOut({ callbackUrl: "/home" })
  expect(quiet.browser.location).toBe(`${quiet.browser.origin}/home`)
  expect(await quiet.browser.session()).toBeNull()
  expect(errors(quiet)).toMatchObject([{ message: expect.stringContaining("a-failing") as string }])
  const both = await site(memoryAdapter(), { modules: [leaver("z", toOwnPage).module, module, failing.module] })
  await both.browser.signInWith(both.first, { as: "ada" })
  await both.browser.signOut({ callbackUrl: "/home" })
  expect(both.browser.location).toBe(`${both.browser.origin}/auth/leaver/bye`)
})

test("a sign-out of the other sessions isn't one of this browser", async () => {
  const { module, heard } = leaver("leaver", toOwnPage)
  const { browser, config, first } = await site(memoryAdapter(), {
    modules: [module],
    session: { strategy: "database" },
  })
  await browser.signInWith(first, { as: "ada" })
  await createServer(config).signOut(visitorOf(browser), { scope: "others" })
  expect(heard).toEqual([])
  await browser.fresh().signOut()
})
