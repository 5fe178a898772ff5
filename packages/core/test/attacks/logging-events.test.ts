import type { EventCallbacks } from "@latchkey/core/types"
import { faults } from "@latchkey/testing"
import { expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { strongSecret } from "../modes/setup.js"
import { bare, secretsAt, site } from "./surface-setup.js"

type Told = readonly [event: string, ...what: unknown[]]

/** An audit log of an application: each event with its provider and user. */
function audit(): { readonly told: Told[]; readonly events: EventCallbacks } {
  const told: Told[] = []
  const events: EventCallbacks = {
    signIn: ({ user, account }) => void told.push(["signIn", account?.provider, user.email]),
    signOut: () => void told.push(["signOut"]),
    linkAccount: ({ account }) => void told.push(["linkAccount", account.provider]),
    createUser: ({ user }) => void told.push(["createUser", user.email]),
    signInFailure: ({ error, provider }) => void told.push(["signInFailure", provider, error.name]),
  }
  return { told, events }
}

attack("LOG-05", "sign-in, linking and sign-out each cause one event, in order", async (mode) => {
  const { told, events } = audit()
  const { its, browser } = await site(mode, { events })
  await browser.signInWith(its.op, { as: "ada" })
  await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
  await browser.signOut()
  expect(told).toEqual([
    ["createUser", "ada@example.test"],
    ["linkAccount", "op"],
    ["signIn", "op", "ada@example.test"],
    ["linkAccount", "other"],
    ["signIn", "other", "ada@example.test"],
    ["signOut"],
  ])
})

attack("LOG-05", "each kind of failure causes one event with the provider and the error", async (mode) => {
  const { told, events } = audit()
  const { its, browser } = await site(mode, { events })
  const failure = async (provider: string, error: string, act: () => Promise<unknown>) => {
    told.length = 0
    await act()
    expect(told).toEqual([["signInFailure", provider, error]])
  }
  await failure("credentials", "CredentialsSignin", () => browser.signIn("credentials", { name: "a", password: "b" }))
  await failure("credentials", "MissingCSRF", () => browser.post("/auth/callback/credentials", { csrfToken: "x" }))
  await failure("op", "MissingCSRF", () => browser.post("/auth/signin/op", { csrfToken: "x" }))
  await failure("mail", "MissingCSRF", () => browser.post("/auth/signin/mail", { email: "ada@example.test" }))
  await failure("mail", "EmailSignInError", () => browser.signIn("mail", { email: "no address" }))
  await failure("op", "InvalidCheck", () => browser.get("/auth/callback/op?code=c&state=never-begun"))
  const csrfToken = (await browser.csrf()) ?? ""
  const unknown = "/auth/callback/mail?token=unknown-and-long-enough-to-be-no-short-code&email=ada@example.test"
  await failure("mail", "Verification", () => browser.post(unknown, { csrfToken }))
  await failure("mail", "MissingCSRF", () => browser.post(unknown))
  its.op.inject(faults.tokenServerError)
  await failure("op", "CallbackRouteError", () => browser.signInWith(its.op, { as: "ada" }))
})

attack("LOG-05", "an unavailable provider at the start of a sign-in causes an event", async (mode) => {
  const { told, events } = audit()
  const { its, browser } = await site(mode, { events })
  its.op.inject(faults.discoveryServerError)
  await browser.signIn("op")
  expect(told).toEqual([["signInFailure", "op", "OAuthSignInError"]])
})

attack("LOG-05", "a replayed callback or link causes an event", async (mode) => {
  const { told, events } = audit()
  const { its, browser, links } = await site(mode, { events })
  await browser.signIn("op")
  const answer = await its.op.authorize(browser.location, { as: "ada" })
  const copied = browser.fresh()
  for (const cookie of browser.cookies) copied.jar.put(cookie)
  await browser.follow(answer, its.op.issuer)
  told.length = 0
  await copied.follow(answer, its.op.issuer)
  await browser.follow(answer, its.op.issuer)
  expect(told).toEqual([
    ["signInFailure", "op", "InvalidCheck"],
    ["signInFailure", "op", "InvalidCheck"],
  ])
  await browser.signIn("mail", { email: "grace@example.test" })
  const thief = browser.fresh()
  for (const cookie of browser.cookies) thief.jar.put(cookie)
  await browser.get(links[0] ?? "")
  told.length = 0
  await thief.get(links[0] ?? "")
  expect(told).toEqual([["signInFailure", "mail", "Verification"]])
})

attack("LOG-05", "a failure event has its request, and contains no secret as JSON", async (mode) => {
  const seen: string[] = []
  const requests: (string | null)[] = []
  const events: EventCallbacks = {
    signInFailure: (message) => {
      seen.push(JSON.stringify({ ...message, error: [message.error.name, message.error.message] }))
      requests.push(message.request?.headers.get("x-forwarded-for") ?? null)
    },
  }
  const { its, browser } = await site(mode, { events })
  its.op.inject(faults.tokenError)
  await browser.signInWith(its.op, { as: "ada" })
  await browser.signIn("credentials", { name: "ada", password: "not-the-password" })
  const text = seen.join("\n")
  for (const secret of [strongSecret, "not-the-password", ...secretsAt(its.op)]) expect(text).not.toContain(secret)
  const { post } = bare(mode, { events })
  await post("/auth/callback/credentials", { name: "x" }, { "x-forwarded-for": "203.0.113.7" })
  expect(requests).toEqual([null, null, "203.0.113.7"])
})

attack(
  "LOG-05",
  "a handler that hangs delays the response by three seconds at most, and one that throws has no effect",
  async (mode) => {
    const { post } = bare(mode, { events: { signInFailure: () => new Promise<void>(() => undefined) } })
    const failing = bare(mode, { events: { signInFailure: () => Promise.reject(new Error("audit log full")) } })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let answered: Response | undefined
      const waiting = post("/auth/callback/credentials", { name: "x" }).then((response) => (answered = response))
      await vi.advanceTimersByTimeAsync(2900)
      expect(answered).toBeUndefined()
      await vi.advanceTimersByTimeAsync(200)
      expect((await waiting).status).toBe(302)
      expect((await failing.post("/auth/signin/op", { csrfToken: "x" })).status).toBe(302)
    } finally {
      vi.useRealTimers()
    }
    expect(failing.log.entries.map(({ text }) => text).join()).toContain("audit log full")
  },
)
