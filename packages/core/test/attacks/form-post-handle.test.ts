import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { flowCookies, outcome } from "../flows/oauth/app.js"
import { interrupted } from "./form-post-setup.js"

attack("OIDC-26", "the intermediate URL works only in the browser with its cookies", async (mode) => {
  const fates: string[] = []
  const its = await interrupted(mode, async ({ request, browser }) => {
    const stranger = browser.fresh()
    await stranger.get(request.url)
    fates.push(outcome(stranger))
    const names = flowCookies(browser)
    expect(names).toHaveLength(2)
    for (const [at] of names.entries()) {
      const thief = browser.fresh()
      for (const cookie of browser.cookies) if (cookie.name === names[at]) thief.jar.put(cookie)
      await thief.get(request.url)
      fates.push(outcome(thief))
      expect(await thief.session()).toBeNull()
    }
    return undefined
  })
  await its.link()
  expect(fates).not.toContain("home")
  expect(fates[0]).toBe("InvalidCheck")
  expect(its.op.requestsTo("token").length).toBeLessThanOrEqual(1)
})

attack("OIDC-26", "the intermediate URL works once", async (mode) => {
  let handle = ""
  const its = await interrupted(mode, ({ request }) => {
    handle = request.url
    return undefined
  })
  await its.link()
  expect([outcome(its.browser), its.linked()]).toEqual(["home", 1])
  await its.browser.get(handle)
  expect(outcome(its.browser)).toBe("InvalidCheck")
  expect(its.op.requestsTo("token")).toHaveLength(1)
})

attack("OIDC-26", "only one of several parallel requests with the cookies succeeds", async (mode) => {
  const fates: string[] = []
  const its = await interrupted(mode, async ({ request, browser }) => {
    const tabs = [1, 2, 3].map(() => browser.clone())
    await Promise.all(tabs.map((tab) => tab.get(request.url)))
    fates.push(...tabs.map(outcome))
    return undefined
  })
  await its.link()
  expect([...fates, outcome(its.browser)].filter((fate) => fate === "home")).toHaveLength(1)
  expect([its.linked(), its.op.requestsTo("token").length]).toEqual([1, 1])
})

attack("OIDC-26", "the stored response expires after a minute", async (mode) => {
  const its = await interrupted(mode, ({ request, clock }) => {
    clock.advance({ seconds: 91 })
    return request
  })
  await its.link()
  expect(outcome(its.browser)).toBe("InvalidCheck")
  expect([its.op.requestsTo("token"), its.linked()]).toEqual([[], 0])
  const reasons = its.log.entries.map(({ message }) => message).join()
  expect(reasons).toContain("the parameters kept for it have expired")
})

function withKept(request: Request, change: (value: string) => string): Request {
  const headers = new Headers(request.headers)
  headers.set(
    "cookie",
    (headers.get("cookie") ?? "").replace(/(\.p=)([^;]+)/, (_, name, value) => name + change(value)),
  )
  return new Request(request, { headers })
}

attack("OIDC-26", "a stored response that was changed, or belongs to another sign-in, is refused", async (mode) => {
  const seen: string[] = []
  const changes: readonly ((kept: string) => string)[] = [
    (kept) => `${kept.slice(0, -8)}AAAAAAAA`,
    () => "e30",
    () => "",
    (kept) => (seen.push(kept), kept),
    () => seen[0] ?? "none was seen",
  ]
  const left = [...changes]
  const its = await interrupted(mode, ({ request }) => withKept(request, left.shift() ?? String))
  const fates: string[] = []
  for (const _ of changes) {
    await its.link()
    fates.push(outcome(its.browser))
  }
  expect(seen).toHaveLength(1)
  expect(fates.map((fate) => fate === "home")).toEqual([false, false, false, true, false])
  expect(its.op.requestsTo("token")).toHaveLength(1)
})

attack("OIDC-26", "the stored response is not used by another form", async (mode) => {
  const its = await interrupted(mode, ({ request }) => {
    const { origin, pathname, searchParams: body } = new URL(request.url)
    return new Request(origin + pathname, { method: "POST", headers: request.headers, body })
  })
  await its.link()
  expect(outcome(its.browser)).toBe("Configuration")
  expect([its.op.requestsTo("token"), its.linked()]).toEqual([[], 0])
})
