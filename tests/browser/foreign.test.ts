import { createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium, signIn, type Visit, who } from "./chromium.js"
import { type Host, listening, openHost } from "./host.js"
import { anyPage, otherName, pageWith } from "./web.js"

/** Another port is another origin of the same site, so requests carry cookies. Another host name is another site. */
const places = [
  { place: "origin", mode: "strict", named: (origin: string) => origin },
  { place: "site", mode: "compatible", named: otherName },
] as const

inChromium("another origin", (visit) => {
  test.each(places)(
    "can't read or load anything of the session from another $place [$mode]",
    async ({ mode, named }) => {
      const { host, page, at } = await signedIn(visit, mode, named)
      await page.goto(pageWith(at, ""))
      for (const path of ["session", "csrf", "providers", "signin", "signout"]) {
        const url = JSON.stringify(`${host.origin}/auth/${path}`)
        const found = await page.evaluate(`Promise.all([
        fetch(${url}, { credentials: "include" }).then(() => "read", () => "refused"),
        fetch(${url}, { credentials: "include", mode: "no-cors" }).then(() => "loaded", () => "refused"),
        new Promise((resolve) => {
          const script = document.body.appendChild(document.createElement("script"))
          script.onload = () => resolve("loaded")
          script.onerror = () => resolve("refused")
          script.src = ${url}
        }),
      ])`)
        expect(found, path).toEqual(["refused", "refused", "refused"])
      }
    },
  )

  test("can't control a page that it opens", async () => {
    const { host, page, at } = await signedIn(visit, "compatible", (origin) => origin)
    await page.goto(pageWith(at, "<button>Open</button>"))
    await page.evaluate(
      `document.querySelector("button").onclick = () => { window.opened = open("${host.origin}/auth/signout") }`,
    )
    const opened = page.context().waitForEvent("page")
    await page.getByRole("button").click()
    await (await opened).getByRole("button", { name: "Sign out" }).waitFor()
    expect(await page.evaluate("[opened.closed, opened.length]")).toEqual([true, 0])
    expect(await (await opened).evaluate("opener")).toBeNull()
  })

  test.each(places)("can't change anything with forms from another $place [$mode]", async ({ mode, named }) => {
    const { host, page, at } = await signedIn(visit, mode, named)
    const [asked, session] = [host.asked.length, await sessionOf(page, host)]
    for (const form of await forms(host)) {
      await page.goto(pageWith(at, form))
      const shown = page.waitForEvent("framenavigated")
      await page.getByRole("button").click()
      await shown
    }
    expect(await sessionOf(page, host)).toEqual(session)
    expect(await who(page, host.origin)).toBe("ada")
    expect([host.links, host.asked.length, host.op.authorizations]).toEqual([[], asked, []])
  })

  test("can't sign in a visitor as another user with a form", async () => {
    const host = await openHost("compatible", { op: await listening(createProvider()) })
    const { page } = await visit()
    const at = (await anyPage()).origin
    // The visitor has a CSRF token by now. The form has the token of the attacker.
    await page.goto(`${host.origin}/auth/signin`)
    for (const form of await forms(host)) {
      await page.goto(pageWith(at, form))
      const shown = page.waitForEvent("framenavigated")
      await page.getByRole("button").click()
      await shown
    }
    expect(await who(page, host.origin)).toBe("signed out")
    expect([host.links, host.asked, host.op.authorizations]).toEqual([[], [], []])
  })
})

async function signedIn(visit: Visit, mode: "strict" | "compatible", named: (origin: string) => string) {
  const [host, evil, { page }] = [
    await openHost(mode, { op: await listening(createProvider()) }),
    await anyPage(),
    await visit(),
  ]
  await signIn(page, host.origin)
  return { host, page, at: named(evil.origin) }
}

/** The forms that change something, with a CSRF token that the attacker requested. */
async function forms({ origin }: Host): Promise<readonly string[]> {
  const { csrfToken } = (await (await fetch(`${origin}/auth/csrf`)).json()) as { csrfToken: string }
  const fields = { csrfToken, email: "ada@example.test", name: "mallory", password: "open sesame", callbackUrl: "/" }
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  const actions = ["signin/op", "signin/mail", "callback/credentials", "signout", "session"]
  return actions.map(
    (action) => `<form method="post" action="${origin}/auth/${action}">${inputs.join("")}<button>Win</button></form>`,
  )
}

/** The values of the session cookies. */
async function sessionOf(page: Page, { origin }: Host): Promise<readonly string[]> {
  const cookies = await page.context().cookies(origin)
  return cookies.filter(({ name }) => name.includes("session-token")).map(({ value }) => value)
}
