import type { Browser } from "@latchkey/testing"
import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { better, joined, modes, siteOf, store } from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("what tells who has an account (%s)", (mode) => {
  const attack = attackIn(mode)

  /** Names of the calls of the database, and how many emails were sent. */
  function counting() {
    const calls: string[] = []
    const adapter = store()
    const watched = <T extends object>(target: T, prefix: string): T =>
      Object.fromEntries(
        Object.entries(target).map(([name, value]) => [
          name,
          typeof value === "function"
            ? (...args: unknown[]) => {
                // A link replaces the one before, or is the first. Both are one write.
                calls.push(prefix + name.replace(/^(?:insert|swap)$/, "write"))
                return Reflect.apply<object, unknown[], unknown>(value, target, args)
              }
            : value,
        ]),
      ) as T
    const { records, ...rest } = adapter
    const site = siteOf({
      mode,
      adapter: { ...watched(rest, ""), ...(records && { records: watched(records, "records.") }) },
    })
    return { site, calls }
  }

  async function callsOf({ site, calls }: ReturnType<typeof counting>, act: () => Promise<unknown>) {
    const [before, mails] = [calls.length, site.sent.length]
    await act()
    return { calls: calls.slice(before).toSorted(), mails: site.sent.length - mails }
  }

  attack(
    "PASS-01",
    "the work of a sign-up, a reset and a sign-in doesn't depend on whether the email has a user",
    async () => {
      const counted = counting()
      const { site } = counted
      await joined(site, ada)
      // Warm: each visitor has a page with a form already.
      const visitors = await Promise.all([0, 1, 2, 3, 4, 5].map(() => site.open()))
      const post =
        (browser: Browser | undefined, route: string, fields: Readonly<Record<string, string>>) => async () => {
          await browser?.submitForm(route, fields)
        }
      for (const [index, path] of ["sign-up", "sign-up", "forgot", "forgot"].entries())
        await visitors[index]?.get(`/auth/password/${path}`)
      for (const browser of visitors.slice(4)) await browser.get("/auth/signin")
      const password = better
      const results = [
        await callsOf(counted, post(visitors[0], "password/sign-up", { email: ada, password })),
        await callsOf(counted, post(visitors[1], "password/sign-up", { email: eve, password })),
        await callsOf(counted, post(visitors[2], "password/forgot", { email: ada })),
        await callsOf(counted, post(visitors[3], "password/forgot", { email: "new@users.test" })),
      ]
      expect(results.map(({ mails }) => mails)).toEqual([1, 1, 1, 1])
      expect(results[0]?.calls).toEqual(results[1]?.calls)
      expect(results[2]?.calls).toEqual(results[3]?.calls)
      const known = await callsOf(counted, post(visitors[4], "callback/password", { email: ada, password }))
      const unknown = await callsOf(
        counted,
        post(visitors[5], "callback/password", { email: "no@users.test", password }),
      )
      expect(known.calls).toEqual(unknown.calls)
    },
  )
})
