import { createServer } from "@latchkey/core/server"
import { defineModule, integer, type ModuleParts, owner, record, route } from "@latchkey/core/module"
import { CredentialsSignin } from "@latchkey/core/errors"
import type { AccountEmail, AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { mailbox } from "../flows/signin/setup.js"
import { code, errors, memoryAdapter, type Site, siteOf } from "./setup.js"

const withParts = (parts: ModuleParts, id = "m") => defineModule({ id, load: async () => parts })

describe("a module with providers", () => {
  const pinned = (prove: NonNullable<ModuleParts["prove"]>) =>
    defineModule({
      id: "pins",
      providers: [{ id: "pin", name: "PIN", fields: { pin: { type: "password", label: "PIN" } } }],
      load: async () => ({ prove }),
    })

  test("is on the sign-in page, and decides who signs in", async () => {
    const { browser } = await siteOf([
      pinned((_, { fields }) => (fields["pin"] === "1" ? { id: "u1", name: "Ada" } : null)),
    ])
    await browser.get("/auth/signin")
    await browser.submitForm("callback/pin", { pin: "2" })
    expect(browser.location).toContain("error=CredentialsSignin")
    await browser.submitForm("callback/pin", { pin: "1" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("chooses the code of an error", async () => {
    const locked = () => Promise.reject(Object.assign(new CredentialsSignin(), { code: "locked" }))
    const { browser } = await siteOf([pinned(locked)])
    await browser.signIn("pin", { pin: "1" })
    expect(browser.location).toContain("error=CredentialsSignin&code=locked")
  })
})

describe("`after`", () => {
  test("runs once per sign-in, with the stored user, and can set a cookie", async () => {
    const seen: unknown[] = []
    const module = withParts({
      after({ setCookie }, { user, amr }) {
        seen.push([user.id, amr])
        setCookie("mark", "1", 60)
      },
    })
    const { browser } = await siteOf([module])
    await browser.signIn("credentials", { name: "ada" })
    await browser.session()
    expect(seen).toEqual([["ada", ["pwd"]]])
    expect(browser.cookies.map(({ name }) => name)).toContain("__Host-authjs.m.mark")
  })

  test("that fails is logged, and the user is signed in", async () => {
    const site = await siteOf([withParts({ after: () => Promise.reject(new Error("full")) })])
    await site.browser.signIn("credentials", { name: "ada" })
    expect(await site.browser.session()).not.toBeNull()
    expect(errors(site)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("`after` of the module m") }),
    ])
  })
})

describe("the account page", () => {
  test("has the sections of modules, with their forms, and JSON has them, too", async () => {
    const account: ModuleParts["account"] = ({ text }, { id }) => ({
      title: text("title"),
      blocks: [
        { kind: "text", text: text("hello", { id }) },
        { kind: "form", route: "save", submit: "Save" },
        { kind: "form", route: "more", submit: "More", secondary: true },
      ],
    })
    const module = withParts({ account, texts: { en: { title: "Module", hello: "Hello {id}" } } })
    const broken = withParts({ account: () => Promise.reject(new Error("away")) }, "broken")
    const site = await siteOf([module, broken])
    const { browser } = site
    await browser.signIn("credentials", { name: "ada" })
    await browser.get("/auth/account")
    expect(browser.text).toContain("Hello ada")
    expect(browser.text).toContain('action="https://app.test/auth/m/save"')
    expect(browser.text).toMatch(/class="submit">Save</)
    expect(browser.text).toContain('<button type="submit">More<')
    const step = await (await browser.fetch("/auth/account", { headers: { accept: "application/json" } })).json()
    expect(step.overview.sections).toEqual([expect.objectContaining({ module: "m", title: "Module" })])
    expect(errors(site)[0]).toMatchObject({ message: expect.stringContaining("section of the module broken") })
  })
})

describe("texts", () => {
  const hello = route("GET", "hello", { session: "none" }, ({ json, text, language }) =>
    json([language, text("hello"), text("bye")]),
  )
  const english = { hello: "Hello", bye: "Bye" }
  const saying = (texts: NonNullable<ModuleParts["texts"]>, id?: string) => withParts({ routes: [hello], texts }, id)

  /** Asks each module in a language, and returns the warnings about texts so far. */
  async function asked(
    { browser, log }: Site,
    tag: string,
    ids: readonly string[] = ["m"],
  ): Promise<readonly string[]> {
    for (const id of ids) await browser.fetch(`/auth/${id}/hello`, { headers: { "accept-language": tag } })
    return log.entries.filter(({ text }) => text.includes("`texts`")).map(({ text }) => text)
  }

  test("are in the language of the user; English stands in for what is missing", async () => {
    const { browser } = await siteOf([saying({ en: english, de: async () => ({ default: { hello: "Hallo" } }) })])
    const response = await browser.fetch("/auth/m/hello", { headers: { "accept-language": "de-AT" } })
    expect(await response.json()).toEqual(["de", "Hallo", "Bye"])
  })

  test("that are missing are one warning for each module and language", async () => {
    const site = await siteOf([saying({ en: english, de: { hello: "Hallo" } }), saying({ en: english }, "other")])
    const both = ["m", "other", "m", "other"]
    const german = [
      "invalid-option modules: m lacks texts in de, and shows them in English. Add to its `texts`: bye",
      "invalid-option modules: other lacks texts in de, and shows them in English. Add to its `texts`: hello, bye",
    ]
    expect(await asked(site, "de-AT", both)).toEqual(german)
    expect(await asked(site, "fr", both)).toHaveLength(4)
  })

  test("that are missing are one warning for all configurations of a site", async () => {
    const adapter = memoryAdapter()
    const modules = [saying({ en: english })]
    expect(await asked(await siteOf(modules, { adapter }), "de")).toHaveLength(1)
    expect(await asked(await siteOf(modules, { adapter }), "de")).toEqual([])
  })

  test.each([
    ["English", "en", { en: english }],
    ["a region of English", "en-GB", { en: english, "en-GB": { bye: "Cheerio" } }],
    ["a language that the application doesn't have", "sw", { en: english }],
    ["a language that has all of them", "de", { en: english, de: { hello: "Hallo", bye: "Tschüs" } }],
    ["a region of such a language", "de-CH", { en: english, de: { hello: "Hallo", bye: "Tschüs" } }],
  ])("are no warning in %s", async (_, tag, texts) => {
    const messages = { "de-CH": {}, "en-GB": {} }
    expect(await asked(await siteOf([saying(texts)], { i18n: { messages } }), tag)).toEqual([])
  })
})

test.each([
  ["from an unknown browser", false],
  ["from a known device, which has no budget of its own for them", true],
])("a module sends emails with the email provider, and its limits count them %s", async (_, isKnown) => {
  const sent: AccountEmail[] = []
  const mail = mailbox({ sendAccountEmail: (message) => void sent.push(message) })
  const letter = { subject: "New device", heading: "A new device", text: "Was it you?" }
  const notify = route("GET", "notify", { session: "none" }, async ({ json, mail }) => {
    await mail({ to: "ada@example.test", ...letter })
    return json("sent")
  })
  const { browser } = await siteOf([withParts({ routes: [notify] })], {
    providers: [code, mail.provider],
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
  })
  if (isKnown) await browser.signIn("credentials", { name: "ada" })
  const statuses: number[] = []
  for (let count = 0; count < 12; count++)
    statuses.push((await browser.fetch("/auth/m/notify", { headers: { accept: "application/json" } })).status)
  expect(sent[0]).toMatchObject({ kind: "notice", identifier: "ada@example.test", letter })
  expect(sent).toHaveLength(10)
  expect(statuses.at(0)).toBe(200)
  expect(statuses.at(-1)).toBe(429)
})

test("no limit keeps an email back that says what happened in an account", async () => {
  const sent: AccountEmail[] = []
  const mail = mailbox({ sendAccountEmail: (message) => void sent.push(message) })
  const letter = { to: "ada@example.test", subject: "Changed", heading: "Changed", text: "Was it you?" }
  const change = route("GET", "change", { session: "none" }, async ({ json, mail }) => {
    await mail({ ...letter, isNotice: true })
    return json("sent")
  })
  const { browser } = await siteOf([withParts({ routes: [change] })], {
    providers: [code, mail.provider],
    adapter: memoryAdapter(),
  })
  for (let count = 0; count < 12; count++) expect((await browser.fetch("/auth/m/change")).status).toBe(200)
  expect(sent).toHaveLength(12)
  expect(sent[0]?.letter).not.toHaveProperty("isNotice")
})

test("a function of the server sends an email for a request that the application answers, and knows its user", async () => {
  const sent: AccountEmail[] = []
  const mail = mailbox({ sendAccountEmail: (message) => void sent.push(message) })
  const notifying = defineModule<"n", { notify(headers: Headers): Promise<unknown> }>({
    id: "n",
    members: ["notify"],
    load: async () => ({
      server: ({ at, canMail }) => ({
        async notify(headers) {
          const { user, url, mail } = await at({ headers })
          if (canMail) await mail({ to: "ada@example.test", subject: "Hi", heading: "Hi", text: url("") })
          return [canMail, (await user())?.id]
        },
      }),
    }),
  })
  const shared = { adapter: memoryAdapter(), session: { strategy: "jwt" }, url: "https://app.test/auth" } as const
  const config = { ...shared, secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", modules: [notifying] }
  const { browser } = await siteOf([notifying], { ...config, providers: [code, mail.provider] })
  await browser.signIn("credentials", { name: "ada" })
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const ask = (providers: AuthConfig["providers"], headers: Readonly<Record<string, string>>) =>
    createServer({ ...config, providers }).members["n"]?.["notify"]?.(new Headers(headers))
  expect(await ask([code, mail.provider], { cookie })).toEqual([true, "ada"])
  expect(sent).toMatchObject([{ letter: { text: "https://app.test/auth/n" } }])
  expect(await ask([code, mail.provider], {})).toEqual([true, undefined])
  expect(await ask([code], { cookie })).toEqual([false, "ada"])
})

test("what one module seals, another can't open", async () => {
  const seal = route("GET", "seal", { session: "none" }, async ({ json, seal }) => json(await seal({ a: 1 }, 60)))
  const open = route("GET", "open", { session: "none" }, async ({ json, open, request }) =>
    json(await open(request.query["token"] ?? "")),
  )
  const { browser } = await siteOf([withParts({ routes: [seal, open] }), withParts({ routes: [open] }, "other")])
  const token = await (await browser.fetch("/auth/m/seal")).json()
  const opened = async (id: string) => (await browser.fetch(`/auth/${id}/open?token=${token}`)).json()
  expect(await opened("m")).toMatchObject({ a: 1 })
  expect(await opened("other")).toBeNull()
})

describe("the members of a module", () => {
  const visits = () => {
    const records = { visits: record({ userId: owner(), count: integer() }, { key: ["userId"] }) }
    return defineModule<"visits", { of(userId: string): Promise<number> }, typeof records>({
      id: "visits",
      records,
      members: ["of"],
      load: async () => ({
        async after({ records }, { user }) {
          const before = await records.visits.get({ userId: user.id })
          if (before === null) await records.visits.insert({ userId: user.id, count: 1 })
          else await records.visits.swap(before, { count: before.count + 1 })
        },
        server: ({ records }) => ({ of: async (userId) => (await records.visits.get({ userId }))?.count ?? 0 }),
      }),
    })
  }

  test("are functions of the server, without a request", async () => {
    const adapter = memoryAdapter()
    const modules = [visits()]
    const session = { strategy: "jwt" } as const
    const { browser } = await siteOf(modules, { adapter, session })
    await browser.signIn("credentials", { name: "ada" })
    await browser.signIn("credentials", { name: "ada" })
    const config = {
      secret: "only-for-tests-0123456789abcdefghij",
      trustHost: true,
      providers: [code],
      adapter,
      session,
    }
    const server = createServer({ ...config, modules })
    expect(await server.members["visits"]?.["of"]?.("ada")).toBe(2)
    const perRequest = createServer(() => config, { modules })
    expect(await perRequest.members["visits"]?.["of"]?.("ada")).toBe(2)
  })
})

test("a record may have a name of several words", async () => {
  const records = { trustedDevice: record({ userId: owner(), count: integer() }, { key: ["userId"] }) }
  const devices = () =>
    defineModule<"devices", { add(userId: string): Promise<boolean> }, typeof records>({
      id: "devices",
      records,
      members: ["add"],
      load: async () => ({
        server: ({ records }) => ({ add: (userId) => records.trustedDevice.insert({ userId, count: 1 }) }),
      }),
    })
  const adapter = memoryAdapter()
  const config = { secret: "only-for-tests-0123456789abcdefghij", trustHost: true, providers: [code], adapter }
  const server = createServer({ ...config, session: { strategy: "jwt" }, modules: [devices()] })
  expect(await server.members["devices"]?.["add"]?.("ada")).toBe(true)
  expect(adapter.rows().records.map(({ kind }) => kind)).toEqual(["devices.trusted-device"])
})

test("doctor and export ask each module", async () => {
  const module = defineModule({
    id: "m",
    load: async () => ({
      doctor: () => ["The key is old. Rotate it"],
      export: (_, { id }) => ({ about: id }),
    }),
  })
  const config = { secret: "only-for-tests-0123456789abcdefghij", trustHost: true, providers: [code] }
  const server = createServer({ ...config, modules: [module, defineModule({ id: "plain" })] })
  expect(await server.moduleFindings()).toEqual([{ module: "m", finding: "The key is old. Rotate it" }])
  expect((await server.export("ada")).modules).toEqual({ m: { about: "ada" } })
})

test("options of a module that can't work are a problem of the configuration", async () => {
  const module = withParts({ check: () => ["`issuer` is empty. Set it"], guard: () => ({ kind: "allow" }) })
  const site = await siteOf([module])
  await site.browser.signIn("credentials", { name: "ada" })
  expect(await site.browser.session()).toBeNull()
  expect(JSON.stringify(site.log.entries)).toContain("modules: m: `issuer` is empty. Set it")
})
