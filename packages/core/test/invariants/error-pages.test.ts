import fc from "fast-check"
import { expect, test } from "vitest"
import { type Fault, faults } from "@latchkey/testing"
import { appOf, mailer, world } from "../modes/setup.js"
import { site } from "../attacks/surface-setup.js"
import { faultySite } from "../attacks/faults-setup.js"
import { holds, patience } from "../fuzz/holds.js"

const word = fc.stringMatching(/^[a-z]{12,20}$/)
const security = fc.constantFrom("strict" as const, "compatible" as const)

/** Each way to fail with a text of other code. */
const failing: Readonly<Record<string, (text: string) => Fault>> = {
  "a refusal": (text) => ({
    authorize: ({ state = "" }) => ({ error: "access_denied", error_description: text, state }),
  }),
  "an unknown refusal": (text) => ({ authorize: ({ state = "" }) => ({ error: text, state }) }),
  "a wrong client": (text) => ({
    answer: async ({ endpoint }) =>
      endpoint === "token"
        ? Response.json({ error: "invalid_client", error_description: text }, { status: 401 })
        : undefined,
  }),
  "a page instead of tokens": (text) => ({
    answer: async ({ endpoint }) =>
      endpoint === "token" ? new Response(`<h1>${text}</h1>`, { status: 502 }) : undefined,
  }),
  "no answer": () => faults.tokenUnreachable,
}

test(
  "the page of any failure has its error ID in the log, and no word of the error",
  async () => {
    const kind = fc.constantFrom(...Object.keys(failing), "sign-out")
    const property = fc.asyncProperty(security, kind, word, async (mode, name, text) => {
      const fault = failing[name]
      const made = fault === undefined ? await faultySite(mode, "with transactions") : await site(mode)
      const { its, browser, log } = made
      if (fault !== undefined) its.op.inject(fault(text))
      await browser.signInWith(its.op, { as: "ada" })
      if ("arm" in made) {
        made.arm("deleteSession", "rejects")
        await browser.signOut()
      }
      expect(browser.text).not.toContain(text)
      expect(browser.text).not.toMatch(/connection lost| at .*\.ts/)
      const id = /Error ID: ([0-9a-f]+)/.exec(browser.text)?.[1]
      if (new URL(browser.location).pathname === "/auth/error") expect(id).toMatch(/^[0-9a-f]{8}$/)
      if (id !== undefined) expect(log.entries.filter((entry) => entry.text.includes(id))).toHaveLength(1)
    })
    await holds(property, 0.05)
  },
  patience,
)

test(
  "the page before a link signs in shows no text of the device that requested it",
  async () => {
    const product = fc.constantFrom("Firefox/1", "Chrome/1", "Safari/1", "Edg/1", "Windows", "iPhone", "Android", "")
    const property = fc.asyncProperty(security, product, word, async (mode, known, text) => {
      const its = world()
      const { provider, links } = mailer()
      const sender = await appOf(its, { security: mode, providers: [provider] })
      const fields = { email: "mallory@example.test", csrfToken: (await sender.csrf()) ?? "" }
      await sender.post("/auth/signin/mail", fields, { headers: { "user-agent": `${text} ${known} <b>${text}</b>` } })
      const victim = sender.fresh()
      await victim.get(links[0] ?? "")
      expect(victim.text).toContain("m***@example.test")
      expect(victim.text).not.toContain(text)
    })
    await holds(property, 0.05)
  },
  patience,
)
