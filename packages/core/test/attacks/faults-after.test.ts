import credentials from "@latchkey/core/providers/credentials"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { appOf, whoIs, world } from "../modes/setup.js"
import { errorOf, faultySite, halfCreated, hasSession, stores } from "./faults-setup.js"
import { gated } from "./session-setup.js"

const ada = "ada@example.test"

attack(
  "FAULT-01",
  "an account linked although `linkAccount` failed is unlinked before its user is removed",
  async (mode) => {
    const { browser, store, its, arm, hit } = await faultySite(mode, "without transactions", {}, (adapter) => ({
      ...adapter,
      deleteUser: async (userId) => {
        removedWith.push(...store.rows().accounts)
        return store.deleteUser(userId)
      },
    }))
    // A database without cascading deletes would keep the account and lock its owner out.
    const removedWith: unknown[] = []
    arm("linkAccount", "rejects afterwards")
    await browser.signInWith(its.op, { as: "ada" })
    expect([hit(), removedWith, store.rows().users]).toEqual([true, [], []])
    await browser.signInWith(its.op, { as: "ada" })
    expect(await whoIs(browser)).toBe(ada)
  },
)

attack("FAULT-03", "after a failed sign-in the same link works once until its original expiry", async (mode) => {
  for (const kind of stores) {
    for (const known of [false, true]) {
      for (const method of ["getUserByEmail", known ? "updateUser" : "createUser", "createSession"]) {
        const { browser, store, mail, arm, hit, its } = await faultySite(mode, kind)
        if (known) await store.createUser({ id: "u1", email: ada, emailVerified: new Date(0) })
        await browser.signIn("mail", { email: ada })
        const [row] = store.rows().verificationTokens
        arm(method, "rejects")
        await browser.get(mail.links[0] ?? "")
        expect([method, hit(), errorOf(browser), hasSession(browser)]).toEqual([method, true, "Configuration", false])
        expect(store.rows().verificationTokens).toEqual([row])
        const late = browser.fresh()
        await browser.get(mail.links[0] ?? "")
        await browser.submitForm(0)
        expect([method, await whoIs(browser)]).toEqual([method, ada])
        expect(store.rows().verificationTokens).toEqual([])
        its.clock.advance({ days: 1 })
        await late.get(mail.links[0] ?? "")
        expect([errorOf(late), hasSession(late)]).toEqual(["Verification", false])
      }
    }
  }
})

attack("FAULT-03", "if the link cannot be restored, the first fault is logged and a new link works", async (mode) => {
  let down = false
  const fails = async (): Promise<never> => Promise.reject(new Error("the disk is full"))
  const { browser, mail, log } = await faultySite(mode, "without transactions", {}, (adapter) => ({
    ...adapter,
    createUser: async (user) => (down ? fails() : (adapter.createUser?.(user) ?? fails())),
    createVerificationToken: async (row) => (down ? fails() : adapter.createVerificationToken?.(row)),
  }))
  await browser.signIn("mail", { email: ada })
  down = true
  await browser.get(mail.links[0] ?? "")
  expect([errorOf(browser), hasSession(browser)]).toEqual(["Configuration", false])
  expect(log.entries.some(({ level, text }) => level === "error" && text.includes("createUser method failed"))).toBe(
    true,
  )
  down = false
  await browser.signIn("mail", { email: ada })
  await browser.get(mail.links[1] ?? "")
  expect(await whoIs(browser)).toBe(ada)
})

attack(
  "FAULT-02",
  "while an adapter call hangs, its sign-in waits, other requests are served, and it succeeds in the end",
  async (mode) => {
    for (const method of ["getUserByAccount", "createUser", "linkAccount", "createSession"]) {
      const its = world()
      const { adapter, arrived, close, open } = gated(its.adapter, method)
      const browser = await appOf(its, { security: mode, adapter, session: { strategy: "database" } })
      const tab = browser.clone()
      close()
      const signingIn = browser.signInWith(its.op, { as: "ada" })
      await arrived
      expect([await tab.session(), hasSession(tab), its.adapter.rows().sessions]).toEqual([null, false, []])
      expect((await tab.get("/auth/signin")).status).toBe(200)
      open()
      await signingIn
      expect([await whoIs(browser), halfCreated(its.adapter)]).toEqual([ada, []])
    }
  },
)

attack(
  "FAULT-02",
  "a failed session deletion at sign-out is reported, and a failed read does not prevent the deletion",
  async (mode) => {
    for (const strategy of ["database", ...(mode === "strict" ? (["jwt"] as const) : [])] as const) {
      for (const [method, ended] of [
        ["getSessionAndUser", true],
        ["deleteSession", false],
      ] as const) {
        const { browser, its, store, arm, log } = await faultySite(mode, "with transactions", { session: { strategy } })
        await browser.signInWith(its.op, { as: "ada" })
        arm(method, "rejects")
        await browser.signOut()
        const told = ended ? "https://app.test/" : "https://app.test/auth/error?error=Configuration&code=SignOutError"
        expect([method, browser.location, hasSession(browser)]).toEqual([method, told, false])
        expect(store.rows().sessions).toHaveLength(ended ? 0 : 1)
        expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
        if (!ended)
          expect([browser.response.status, browser.text.includes("couldn&#39;t end the session")]).toEqual([503, true])
      }
    }
  },
)

attack("FAULT-02", "credentials of a user missing in the database get an error and no session", async (mode) => {
  const stranger = credentials({ credentials: {}, authorize: () => ({ id: "unknown", email: ada }) })
  for (const strategy of ["database", "jwt"] as const) {
    const { browser, store, log } = await faultySite(mode, "with transactions", {
      session: { strategy },
      providers: [stranger],
    })
    await browser.signIn("credentials", {})
    const revocable = strategy === "database" || mode === "strict"
    expect([errorOf(browser), hasSession(browser)]).toEqual(revocable ? ["Configuration", false] : [null, true])
    expect(store.rows().sessions).toEqual([])
    if (revocable) expect(log.entries[0]?.message).toContain("a user that isn't in the database. Return a stored user")
  }
})
