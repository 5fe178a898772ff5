import { defineModule, type Module, proven } from "@latchkey/core/module"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { askedOn, choose, signedOn } from "../passkeys.js"
import { held, isHeld, modes, newUser, passkeyOf, signInByLink, type Site, siteOf, submit } from "../site.js"

/** Signs in with a number, as after a code by SMS. */
const phones: Module = defineModule({
  id: "phones",
  providers: [{ id: "phones", name: "Phone", fields: { number: {} } }],
  load: async () => ({ prove: async (_, { fields }) => proven({ account: String(fields["number"]), amr: "sms" }) }),
})

const number = "+15550100"

async function signInByPhone(browser: Browser): Promise<void> {
  await browser.signIn("phones", { number, callbackUrl: "/auth/account" })
}

/** The codes that were sent, by each method. */
function sentIn({ letters, messages }: Site): number {
  return letters.filter(({ code }) => code !== undefined).length + messages.length
}

function lastCode({ letters, messages }: Site, method: string): string {
  return (method === "sms" ? messages.at(-1)?.code : letters.findLast(({ code }) => code !== undefined)?.code) ?? ""
}

async function chooseCodes(site: Site, browser: Browser, method: "email" | "sms"): Promise<readonly string[]> {
  await submit(browser, "enroll", { method, ...(method === "sms" && { phone: "+15550177" }) })
  await browser.submitForm("mfa/confirm", { code: lastCode(site, method) })
  return [...browser.text.matchAll(/<li>([A-Z2-7-]{16,})<\/li>/g)].map(([, code = ""]) => code)
}

describe.each(modes)("with security: %s, in a trusted browser", (security) => {
  const trusted = async (method: "email" | "sms") => {
    const site = await siteOf({}, { security, modules: [phones] })
    const browser = await site.browse()
    const signIn = async () => (method === "sms" ? signInByPhone(browser) : signInByLink(site, browser, "ada"))
    await signIn()
    const recovery = await chooseCodes(site, browser, method)
    await browser.signOut()
    await signIn()
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "", trust: "yes" })
    await browser.signOut()
    await signIn()
    expect(await browser.session()).not.toBeNull()
    return { site, browser, recovery }
  }

  test("a mailbox isn't the second factor of a session that a link to it began", async () => {
    const { site, browser } = await trusted("email")
    await refusesCode(site, browser, "email")
  })

  test("a phone isn't the second factor of a session that it began", async () => {
    const { site, browser } = await trusted("sms")
    await refusesCode(site, browser, "sms")
  })

  async function refusesCode(site: Site, browser: Browser, method: "email" | "sms"): Promise<void> {
    const sent = sentIn(site)
    await browser.get("/auth/mfa/verify")
    expect(browser.text).not.toContain("Send a code")
    await browser.post("/auth/mfa/verify", { action: method, csrfToken: (await browser.csrf()) ?? "" })
    expect(sentIn(site)).toBe(sent)
    await submit(browser, "remove", { method })
    expect(browser.text).toContain("Confirm that it&#39;s you")
  }

  test.each(["email", "sms"] as const)("a recovery code still is, with codes by %s", async (method) => {
    const { site, browser, recovery } = await trusted(method)
    await browser.get("/auth/mfa/verify")
    await browser.submitForm("mfa/verify", { code: recovery[1] ?? "" })
    await submit(browser, "remove", { method })
    const [owner] = site.store.rows().users
    expect(await site.server.isEnrolled(owner?.id ?? "")).toBe(false)
  })

  test("a mailbox is, after a password", async () => {
    const site = await siteOf({}, { security })
    await chooseCodes(site, await newUser(site), "email")
    const browser = await held(site)
    await browser.submitForm("auth/factor", { action: "email" })
    await browser.submitForm("auth/factor", { code: lastCode(site, "email") })
    const sent = sentIn(site)
    await browser.get("/auth/mfa/verify")
    await browser.submitForm("mfa/verify", { action: "email" })
    expect(sentIn(site)).toBe(sent + 1)
    await browser.submitForm("mfa/verify", { code: lastCode(site, "email") })
    expect(new URL(browser.location).pathname).toBe("/auth/account")
  })

  test.each([
    [false, "isn't asked for"],
    [true, "has to verify its user again"],
  ])("a passkey that began the session (verified: %s) %s", async (userVerification) => {
    const site = await siteOf({}, { security })
    const owner = await newUser(site)
    const authenticator = await passkeyOf(owner, { userVerification })
    const recovery = await choose(owner, authenticator)
    const browser = await site.browse()
    await browser.signInWithPasskey(authenticator)
    if (isHeld(browser)) await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
    await browser.get("/auth/mfa/verify")
    expect(askedOn(browser) !== undefined).toBe(userVerification)
    if (!userVerification) return
    await answerWith(browser, await signedOn(browser, authenticator.clone({ userVerification: false })))
    expect(browser.response.status).toBe(401)
  })

  async function answerWith(browser: Browser, passkey: string): Promise<void> {
    await browser.post("/auth/mfa/verify", { passkey, csrfToken: (await browser.csrf()) ?? "" })
  }
})
