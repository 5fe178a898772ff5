import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AuthConfig } from "@latchkey/core/types"
import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { site } from "../account/setup.js"
import { putCookie, version4Name } from "../version4/setup.js"

/** With every option that seals something. */
function optionsOf(mode: Mode): Partial<AuthConfig> {
  return {
    trustHost: ["https://app.test"],
    security: { mode, providerTokens: "sealed" },
    session: { strategy: "jwt", version4: { acceptUntil: "2027-06-01" } },
  }
}

const sealed = /[\w-]{16,}\.\.[\w-]+\.[\w-]*\.[\w-]+/g

interface Found {
  readonly source: string
  readonly value: string
}

/** Everything sealed that a visitor and the database get during sign-ins and on the account page, but for sessions. */
async function sealedValues(mode: Mode) {
  const adapter = memoryAdapter()
  const its = await site(adapter, optionsOf(mode))
  const { browser, first, second, mail } = its
  const found = new Map<string, Found>()
  const collect = (source: string, text: string) => {
    for (const [value] of text.matchAll(sealed)) found.set(value, { source, value })
  }
  const look = () => {
    for (const { name, value } of browser.cookies) if (!name.includes("session-token")) collect(name, value)
    for (const [name, value] of new URL(browser.location).searchParams) collect(name, value)
  }
  await browser.signIn(mail.provider.id ?? "", { email: "ada@example.test" })
  look()
  await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")
  look()
  await browser.signIn(first.id)
  look()
  await browser.signInWith(first, { as: "ada", fields: { callbackUrl: "https://app.test/auth/account" } })
  look()
  await browser.signInWith(second, { as: "ada", fields: { link: "true", callbackUrl: "/auth/account" } })
  look()
  await browser.post("/auth/account", {
    csrfToken: (await browser.csrf()) ?? "",
    action: "change-email",
    email: "ada@new.test",
  })
  look()
  collect("account", JSON.stringify(adapter.rows().accounts))
  return { ...its, found: [...found.values()] }
}

/** Where a visitor can put a value: every cookie that was set, the session under each of its names, and the parameters. */
function namesOf(browser: Browser): readonly string[] {
  const session = ["__Secure-authjs.session-token", "__Host-authjs.session-token", version4Name]
  return [...session, ...browser.cookies.map(({ name }) => name).filter((name) => !name.includes("session-token"))]
}

const parameters = ["status", "token", "code", "state", "ending", "returnTo", "callbackUrl"]

attack(
  "T3-06",
  "a value that was sealed for another purpose is no session, in any cookie or parameter",
  async (mode) => {
    const { browser, found } = await sealedValues(mode)
    expect(found.length).toBeGreaterThan(5)
    const names = namesOf(browser)
    for (const { source, value } of found) {
      for (const name of names.filter((each) => each !== source)) {
        const visitor = browser.fresh()
        putCookie(visitor, name, value)
        expect(await visitor.session(), `${source} as ${name}`).toBeNull()
        const back = `/auth/callback/op?code=x&state=${encodeURIComponent(value)}`
        expect((await visitor.fetch(back)).status, `${source} as ${name}`).toBeLessThan(500)
        expect(await visitor.session(), `${source} as ${name}`).toBeNull()
      }
      const query = new URLSearchParams(parameters.filter((name) => name !== source).map((name) => [name, value]))
      for (const path of ["session", "signin", "signout", "account", "error", "callback/mail", "verify-request"]) {
        const visitor = browser.fresh()
        const response = await visitor.fetch(`/auth/${path}?${query.toString()}`)
        expect(response.status, `${source} in the URL of ${path}`).toBeLessThan(500)
        expect(await visitor.session(), `${source} in the URL of ${path}`).toBeNull()
      }
    }
  },
)
