import { createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium, signIn, who } from "./chromium.js"
import { type Host, listening, openHost } from "./host.js"

/** A browser sends these over HTTPS and to its own machine, but not from a phone to a computer in the same network. */
const unsent = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"]

/** The default of Helmet, which many applications use. */
const helmet = { "referrer-policy": "no-referrer" }

const sites = [
  { mode: "compatible", trustsHost: true, added: {} },
  { mode: "compatible", trustsHost: false, added: helmet },
  { mode: "strict", trustsHost: false, added: {} },
  { mode: "strict", trustsHost: false, added: helmet },
] as const

type Site = (typeof sites)[number]

async function open({ mode, trustsHost, added }: Site): Promise<Host> {
  const op = await listening(createProvider())
  const host = await openHost(mode, { op, name: "127.0.0.2", trustsHost })
  host.lost = unsent
  host.added = added
  return host
}

async function requestLink(page: Page, { origin }: Host): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=/`)
  await page.getByLabel("Email").fill("ada@example.test")
  await page.getByRole("button", { name: "Continue" }).click()
  await page.waitForURL(/verify-request/)
}

inChromium("without HTTPS, on another machine", (visit) => {
  test.each(sites)("the forms for a password and for signing out work: %j", async (site) => {
    const host = await open(site)
    const { page } = await visit()
    await signIn(page, host.origin)
    expect(await who(page, host.origin)).toBe("ada")
    await page.goto(`${host.origin}/auth/signout`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${host.origin}/`)
    expect(await who(page, host.origin)).toBe("signed out")
  })

  test.each(sites)("the button of a provider works: %j", async (site) => {
    const host = await open(site)
    const { page } = await visit()
    await page.goto(`${host.origin}/auth/signin?callbackUrl=/`)
    await page.getByRole("button", { name: "Sign in with Acme" }).click()
    await page.getByRole("button", { name: "ada" }).click()
    await page.waitForURL(`${host.origin}/`)
    expect(await who(page, host.origin)).toBe("Ada Lovelace")
  })

  test.each(sites)("the forms for an email and its code work: %j", async (site) => {
    const host = await open(site)
    const { page } = await visit()
    await requestLink(page, host)
    await page.getByLabel("6-digit code").fill(host.codes.at(-1) ?? "")
    await page.waitForURL(`${host.origin}/`)
    expect(await host.store.getUserByEmail("ada@example.test")).not.toBeNull()
  })

  test.each(sites)(
    "the button for an email link from another browser works, and its token isn't sent on: %j",
    async (site) => {
      const host = await open(site)
      await requestLink((await visit()).page, host)
      const { page } = await visit()
      const referrers: (string | undefined)[] = []
      page.on("request", (request) => referrers.push(request.headers()["referer"]))
      await page.goto(host.links.at(-1) ?? "")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`${host.origin}/`)
      expect(await host.store.getUserByEmail("ada@example.test")).not.toBeNull()
      expect(referrers.filter((referrer) => referrer?.includes("token"))).toEqual([])
    },
  )

  test.each([
    ["compatible", "signed out"],
    ["strict", "ada"],
  ] as const)("[%s] after a form of the application that hides its origin, the user is: %s", async (mode, outcome) => {
    const host = await open({ mode, trustsHost: false, added: helmet })
    const { page } = await visit()
    await signIn(page, host.origin)
    const markup = '<form action="/auth/signout" method="POST"><input name="csrfToken"><button>Leave</button></form>'
    await page.goto(`${host.origin}/page?markup=${encodeURIComponent(markup)}`)
    const token = "fetch('/auth/csrf').then((response) => response.json()).then(({ csrfToken }) => csrfToken)"
    await page.locator("input").fill(String(await page.evaluate(token)))
    const posted = page.waitForRequest((request) => request.method() === "POST")
    await page.getByRole("button").click()
    expect((await (await posted).allHeaders())["origin"]).toBe("null")
    await page.waitForLoadState()
    expect(await who(page, host.origin)).toBe(outcome)
  })
})
