import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import { captureLog, createAuthenticator, createProvider, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { factorSite, methods, pin, setsSession } from "./factor-site.js"

const page = "https://app.test/auth/factor"

describe.each(["jwt", "database"] as const)("with sessions of the strategy %s, a factor", (strategy) => {
  test.each(methods)("holds a sign-in with %s until it's proven", async (method) => {
    const { browser, signIn } = await factorSite([pin()], { session: { strategy } })
    await signIn(method)
    expect(browser.location).toBe(page)
    expect(browser.text).toContain("Your PIN for app.test")
    expect(setsSession(browser.trail)).toBe(false)
    expect(await browser.session()).toBeNull()
    await browser.submitForm("auth/factor", { pin: "1234" })
    expect(browser.location).toBe("https://app.test/inbox")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(browser.cookies.map(({ name }) => name).join()).not.toContain("pending")
  })
})

test("a wrong answer is refused, shown, and the sign-in still waits", async () => {
  const { browser, signIn } = await factorSite()
  await signIn("credentials")
  await browser.submitForm("auth/factor", { pin: "9999" })
  expect(browser.response.status).toBe(401)
  expect(browser.text).toContain("The PIN is wrong.")
  expect(await browser.session()).toBeNull()
  await browser.submitForm("auth/factor", { pin: "1234" })
  expect(await browser.session()).not.toBeNull()
})

test("the sixth answer isn't looked at, even if it's right, and parallel answers don't get around that", async () => {
  const { browser, signIn } = await factorSite()
  await signIn("credentials")
  const csrfToken = (await browser.csrf()) ?? ""
  const answer = (value: string) =>
    browser.fetch("/auth/factor", { method: "POST", body: new URLSearchParams({ pin: value, csrfToken }) })
  await Promise.all(Array.from({ length: 8 }, () => answer("0000")))
  await answer("1234")
  expect(await browser.session()).toBeNull()
  await browser.get("/auth/factor")
  expect(browser.text).not.toContain("Your PIN")
})

test("a thief of the first factor can't go on guessing by starting the sign-in again", async () => {
  const looked: string[] = []
  const verify = (_: unknown, __: unknown, { pin = "" }: Readonly<Record<string, string>>) => {
    looked.push(pin)
    return "The PIN is wrong."
  }
  const { browser, signIn } = await factorSite([pin({ verify })], { rateLimit: {} })
  for (let again = 0; again < 12; again++) {
    await signIn("credentials")
    for (let guess = 0; guess < 5; guess++)
      await browser.submitForm("auth/factor", { pin: String(guess) }).catch(() => undefined)
  }
  expect(looked.length).toBeLessThanOrEqual(10)
})

test("right answers use up no limit", async () => {
  const { browser, signIn } = await factorSite([pin()], { rateLimit: {} })
  for (let again = 0; again < 12; again++) {
    await signIn("credentials")
    await browser.submitForm("auth/factor", { pin: "1234" })
    expect(await browser.session()).not.toBeNull()
    await browser.signOut()
  }
})

test("of parallel right answers, one signs in", async () => {
  const { browser, signIn, store } = await factorSite([pin()], { session: { strategy: "database" } })
  await signIn("credentials")
  const csrfToken = (await browser.csrf()) ?? ""
  const body = () => new URLSearchParams({ pin: "1234", csrfToken })
  await Promise.all(Array.from({ length: 4 }, () => browser.fetch("/auth/factor", { method: "POST", body: body() })))
  expect(store.rows().sessions).toHaveLength(1)
})

test("a held sign-in ends after 10 minutes", async () => {
  const { browser, signIn, clock } = await factorSite()
  await signIn("credentials")
  clock.advance({ minutes: 10, seconds: 1 })
  await browser.submitForm("auth/factor", { pin: "1234" })
  expect(await browser.session()).toBeNull()
  expect(browser.location).toContain("error=Configuration&code=InvalidCheck")
})

test("a held sign-in is worth nothing without its cookie, or in the cookie of a stranger", async () => {
  const { signIn, other } = await factorSite()
  await signIn("credentials")
  await other.get("/auth/factor")
  expect(other.text).not.toContain("Your PIN")
  const csrfToken = (await other.csrf()) ?? ""
  const headers = { cookie: `__Host-authjs.pending-sign-in=${"0".repeat(64)}` }
  await other.post("/auth/factor", { pin: "1234", csrfToken }, { headers })
  expect(await other.session()).toBeNull()
})

test.each(["https://evil.test/", "https://blog.app.test/"])("the form of %s isn't an answer", async (from) => {
  const { browser, signIn } = await factorSite()
  await signIn("credentials")
  await browser.post("/auth/factor", { pin: "1234" }, { from })
  expect(await browser.session()).toBeNull()
})

test.each([
  ["the user is deleted", async ({ store, userId }: Site) => store.deleteUser?.(userId)],
  ["the email changes", async ({ store, userId }: Site) => store.updateUser?.({ id: userId, email: "b@example.test" })],
  [
    "the email is no longer verified",
    async ({ store, userId }: Site) => store.updateUser?.({ id: userId, emailVerified: null }),
  ],
])("the sign-in is refused if %s while the factor is asked", async (_, change) => {
  for (const method of methods) {
    const site = await factorSite()
    await site.signIn(method)
    expect(site.browser.location).toBe(page)
    await change(site)
    await site.browser.submitForm("auth/factor", { pin: "1234" })
    expect(await site.browser.session(), method).toBeNull()
  }
})

type Site = Awaited<ReturnType<typeof factorSite>>

test("the `signIn` callback runs once, before the factor; events, `jwt` and `after` once, behind it", async () => {
  const calls: string[] = []
  const { browser, signIn } = await factorSite([pin()], {
    session: { strategy: "jwt" },
    callbacks: {
      signIn: () => calls.push("signIn callback") > 0,
      jwt: ({ token, trigger }) => (trigger === "signIn" && calls.push("jwt"), token),
    },
    events: { signIn: () => void calls.push("signIn event") },
  })
  calls.length = 0
  await signIn("credentials")
  expect(calls).toEqual(["signIn callback"])
  await browser.submitForm("auth/factor", { pin: "1234" })
  expect(calls).toEqual(["signIn callback", "jwt", "signIn event"])
})

test("what waits holds no password, and nothing of it can be read in the store", async () => {
  const { signIn, store } = await factorSite()
  await signIn("oidc")
  const kept = store.rows().records.filter(({ kind }: { kind: string }) => kind.startsWith("core."))
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toMatch(/ada@example|access_token/)
})

test("a passkey that didn't verify its user isn't exempt", async () => {
  const asked = { userVerification: "discouraged" } as const
  const verify = { requireUserVerification: false }
  const passkey = Passkey({
    authenticationOptions: asked,
    verifyAuthenticationOptions: verify,
    registrationOptions: { authenticatorSelection: asked },
    verifyRegistrationOptions: verify,
  })
  const authenticator = createAuthenticator({ userVerification: false })
  const { browser, signIn } = await factorSite([pin({ exempt: ["hwk"] })], {}, { authenticator, passkey })
  await signIn("passkey")
  expect(browser.location).toBe(page)
  expect(await browser.session()).toBeNull()
})

test("a method that the factor exempts isn't held", async () => {
  const { browser, signIn } = await factorSite([pin({ exempt: ["hwk"] })])
  await signIn("passkey")
  expect(await browser.session()).not.toBeNull()
})

test("a signed-in user adds a passkey and an account without being held", async () => {
  const { browser, signIn, op } = await factorSite()
  await signIn("credentials")
  await browser.submitForm("auth/factor", { pin: "1234" })
  await browser.registerPasskey(createAuthenticator())
  expect(browser.location).not.toBe(page)
  await browser.signInWith(op, { as: "grace" })
  expect(browser.location).not.toBe(page)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
})

test("two factors are asked one after the other", async () => {
  const { browser, signIn } = await factorSite([
    pin({ form: () => form("Second") }, "b"),
    pin({ form: () => form("First") }, "a"),
  ])
  await signIn("link")
  expect(browser.text).toContain("First")
  await browser.submitForm("auth/factor", { pin: "1234" })
  expect(browser.text).toContain("Second")
  expect(await browser.session()).toBeNull()
  await browser.submitForm("auth/factor", { pin: "1234" })
  expect(await browser.session()).not.toBeNull()
})

const form = (title: string) => ({ title, fields: { pin: {} }, submit: "Go on" })

describe("a form of a factor", () => {
  const shown = {
    title: "Your PIN",
    blocks: [{ kind: "text", text: "It has <4> digits" } as const, { kind: "codes", codes: ["12-34"] } as const],
    fields: { pin: { required: true }, keep: { type: "checkbox", label: "Keep" } },
    submit: "Go on",
    actions: { send: "Send a new PIN" },
  }
  const next = { title: "One more", fields: {}, submit: "Done" }

  test("has texts and further buttons, which need no field, on the page and as a step", async () => {
    const { browser, signIn } = await factorSite([pin({ form: () => shown })])
    await signIn("credentials")
    expect(browser.text).toContain("<p>It has &lt;4&gt; digits</p>")
    expect(browser.text).toContain("<li>12-34</li>")
    expect(browser.text).toContain('name="action" value="send" formnovalidate>Send a new PIN</button>')
    expect(browser.text).toMatch(/<label class="check"><input[^>]*type="checkbox"[^>]*> Keep<\/label>/)
    const step = await (await browser.fetch("/auth/factor", { headers: { accept: "application/json" } })).json()
    expect(step).toMatchObject({ blocks: shown.blocks, actions: shown.actions })
  })

  test("marks only what was typed as wrong, and no box", async () => {
    const { browser, signIn } = await factorSite([pin({ form: () => shown, verify: () => "Wrong" })])
    await signIn("credentials")
    await browser.submitForm("auth/factor", { pin: "1" })
    expect(browser.text).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="pin"/)
    expect(browser.text).not.toMatch(/<input[^>]*aria-invalid="true"[^>]*name="keep"/)
  })

  test("is followed by another one, which is neither a session nor a failure", async () => {
    const failures: unknown[] = []
    const verify = (_: unknown, __: unknown, { action }: Readonly<Record<string, string>>) =>
      action === undefined ? true : next
    const { browser, signIn } = await factorSite([pin({ form: () => shown, verify })], {
      events: { signInFailure: (message) => void failures.push(message) },
    })
    await signIn("credentials")
    await browser.submitForm("auth/factor", { action: "send" })
    expect(browser.response.status).toBe(200)
    expect(browser.text).toContain("One more")
    expect(await browser.session()).toBeNull()
    expect(failures).toEqual([])
    await browser.submitForm("auth/factor")
    expect(await browser.session()).not.toBeNull()
  })

  test("that follows counts as an answer, so that no sixth one is made", async () => {
    let made = 0
    const { browser, signIn } = await factorSite([pin({ verify: () => (made++, next) })])
    await signIn("credentials")
    const csrfToken = (await browser.csrf()) ?? ""
    for (let again = 0; again < 8; again++) await browser.post("/auth/factor", { action: "send", csrfToken })
    expect(made).toBe(5)
  })

  test("and its answer know the name of the sign-in, which no other has", async () => {
    const names: unknown[] = []
    const note = ({ held }: { readonly held?: string }) => void names.push(held)
    const { browser, signIn } = await factorSite([
      pin({
        form: (_, attempt) => (note(attempt), shown),
        verify: (_, attempt) => (note(attempt), true),
        isRequired: (_, attempt) => (note(attempt), true),
      }),
    ])
    await signIn("credentials")
    await browser.get("/auth/factor")
    await browser.submitForm("auth/factor", { pin: "1" })
    await signIn("credentials")
    const [before, first, , answered] = names
    expect(before).toBeUndefined()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(answered).toBe(first)
    expect(names.at(-1)).not.toBe(first)
    expect(browser.cookies.map(({ value }) => value)).not.toContain(names.at(-1))
  })
})

test("a factor that fails refuses the sign-in", async () => {
  const { browser, signIn } = await factorSite([pin({ isRequired: () => Promise.reject(new Error("away")) })])
  await signIn("credentials")
  expect(await browser.session()).toBeNull()
})

test("a flow gets the factor as a step", async () => {
  const { browser, signIn } = await factorSite()
  await signIn("credentials")
  const headers = { accept: "application/json" }
  const step = await (await browser.fetch("/auth/factor", { headers })).json()
  expect(step).toMatchObject({ status: "factor", factor: "pin", title: "Your PIN for app.test", url: page })
  expect(step.fields).toEqual([
    expect.objectContaining({ name: "pin", label: "PIN", type: "password", required: true }),
  ])
  const answer = (value: string) =>
    browser.fetch(step.url, {
      method: "POST",
      headers,
      body: new URLSearchParams({ pin: value, csrfToken: step.csrfToken }),
    })
  const wrong = await answer("0")
  expect(wrong.status).toBe(401)
  expect(await wrong.json()).toMatchObject({
    status: "factor",
    error: { code: "FactorRefused", message: "The PIN is wrong." },
  })
  expect(await (await answer("1234")).json()).toEqual({ status: "signed-in", url: "https://app.test/inbox" })
})

test("an application without modules has no such route", async () => {
  const { browser } = await factorSite([])
  await browser.get("/auth/factor")
  expect(browser.response.status).toBe(404)
})

test("a held sign-in isn't completed by a provider that has another type by now", async () => {
  const op = createProvider()
  const common = {
    secret: "the-secret-of-both-releases-0123456789",
    trustHost: true,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" as const },
    logger: captureLog().logger,
    modules: [pin({ isRequired: async () => true, verify: async () => true as const })],
  }
  const password = credentials({ id: "door", credentials: { name: {} }, authorize: () => null })
  const [before, after] = [op.provider({ id: "door" }), password].map((door) =>
    createServer({ ...common, providers: [door] }),
  )
  let server = before
  const browser = openBrowser({
    origin: "https://app.test",
    handle: async (request) => server?.handle(request) ?? new Response("app"),
  })
  await browser.signInWith(op, { as: "ada", provider: "door" })
  expect(browser.text).toContain("Your PIN")
  server = after
  await browser.get("/auth/factor")
  expect(browser.text).not.toContain("Your PIN")
})
