import fc from "fast-check"
import { expect, test } from "vitest"
import { holds, patience } from "../fuzz/holds.js"
import { type FactorSite, factorSite, methods, pin, setsSession } from "./factor-site.js"

/** What a thief of the first factor may try before the second one. Each returns all responses that it got. */
const tries = {
  read: ({ browser }: FactorSite) => fetched(browser, "/auth/session"),
  update: async ({ browser }: FactorSite) =>
    fetched(browser, "/auth/session", { csrfToken: (await browser.csrf()) ?? "", data: "{}" }),
  account: ({ browser }: FactorSite) => opened(browser, "/auth/account"),
  csrf: ({ browser }: FactorSite) => fetched(browser, "/auth/csrf"),
  page: ({ browser }: FactorSite) => opened(browser, "/auth/factor"),
  back: ({ browser }: FactorSite) => opened(browser, "/auth/signin?callbackUrl=%2Finbox"),
  "answer wrongly": async ({ browser }: FactorSite) => posted(browser, "/auth/factor", { pin: "0000" }),
  "answer nothing": async ({ browser }: FactorSite) => posted(browser, "/auth/factor", {}),
  "answer in another browser": async ({ other }: FactorSite) => posted(other, "/auth/factor", { pin: "1234" }),
  "repeat the last request": async ({ browser }: FactorSite) => opened(browser, lastPath(browser)),
  "open the link again": async ({ browser, mail }: FactorSite) =>
    mail.sent.length === 0 ? [] : opened(browser, mail.link()),
  "sign out": async ({ browser }: FactorSite) => posted(browser, "/auth/signout", {}),
  ...Object.fromEntries(
    methods.map((method) => [
      `sign in with ${method}`,
      async (site: FactorSite) => {
        await site.signIn(method).catch(ignore)
        return site.browser.trail
      },
    ]),
  ),
} satisfies Readonly<Record<string, (site: FactorSite) => Promise<readonly Response[]>>>

type Tab = FactorSite["browser"]

async function fetched(browser: Tab, path: string, body?: Readonly<Record<string, string>>) {
  const sent = body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }
  return [await browser.fetch(path, sent)]
}

async function opened(browser: Tab, path: string) {
  await browser.get(path)
  return browser.trail
}

async function posted(browser: Tab, path: string, fields: Readonly<Record<string, string>>) {
  await browser.post(path, { csrfToken: (await browser.csrf()) ?? "", ...fields })
  return browser.trail
}

function lastPath({ location }: Tab): string {
  const { origin, pathname, search } = new URL(location)
  return origin === "https://app.test" ? pathname + search : "/auth/factor"
}

/** A form that the page doesn't have anymore. */
function ignore(): void {}

const scenario = fc.record({
  strategy: fc.constantFrom("jwt" as const, "database" as const),
  security: fc.constantFrom("compatible" as const, "strict" as const),
  first: fc.constantFrom(...methods),
  next: fc.array(fc.constantFrom(...Object.keys(tries)), { maxLength: 8 }),
})

test(
  "no response before the factor sets a session cookie, whatever the method and whatever is tried",
  { timeout: patience },
  () =>
    holds(
      fc.asyncProperty(scenario, async ({ strategy, security, first, next }) => {
        const strict = { url: "https://app.test/auth", environment: "development" } as const
        const site = await factorSite([pin()], {
          session: { strategy },
          security,
          ...(security === "strict" && strict),
        })
        await site.signIn(first)
        expect(setsSession(site.browser.trail)).toBe(false)
        for (const name of next) {
          const responses = await (tries as Record<string, (site: FactorSite) => Promise<readonly Response[]>>)[name]?.(
            site,
          )
          expect(setsSession(responses ?? []), name).toBe(false)
        }
        expect(await site.browser.session()).toBeNull()
      }),
      0.02,
    ),
)
