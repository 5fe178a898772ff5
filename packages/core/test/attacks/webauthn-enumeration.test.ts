import { type AuthenticatorData, authenticatorFaults, type Browser, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { errorAt, intercept } from "../flows/signin/setup.js"
import { issue, send } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, challengeCookies, passkeySite, signUpAllowed } from "./webauthn-setup.js"

// As long as Ada's.
const unknown = "eva@example.test"
const provider = "webauthn"
const neverSeen = { body: { options: {} } }

/** What a visitor can compare: everything in the response except for what is random. */
async function seen(browser: Browser, path: string): Promise<Seen & Record<string, unknown>> {
  const response = await browser.fetch(path)
  const body = (await response.json()) as Record<string, unknown>
  const hidden = (key: string, value: unknown) =>
    ["challenge", "id", "name", "displayName"].includes(key) && typeof value === "string" ? value.length : value
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !["set-cookie", "expires"].includes(name)),
    // The length of an encrypted value depends on what it contains.
    cookies: response.headers.getSetCookie().map((line) => [line.split("=", 1)[0], line.length]),
    body: JSON.parse(JSON.stringify(body, hidden)),
  }
}

attack("WAN-04", "the options of known and unknown emails differ only in random values", async (mode) => {
  for (const kind of ["passkey", "webauthn"] as const) {
    for (const action of ["", "&action=authenticate", "&action=register"]) {
      const its = await passkeySite(mode, { kind, security: signUpAllowed })
      await adaWithPasskey(its, createAuthenticator({ residentKeys: kind === "passkey" }))
      await its.store.createUser({ id: "without-passkey", email: "zoe@example.test", emailVerified: new Date(0) })
      const [first = neverSeen, ...others] = await Promise.all(
        [ada, unknown, "eve@example.test", "zoe@example.test"].map(async (email) => {
          const browser = its.browser.fresh()
          await browser.csrf()
          return await seen(browser, `/auth/webauthn-options/${kind}?email=${email}${action}`)
        }),
      )
      for (const other of others) {
        expect([kind, action, withoutList(other)]).toEqual([kind, action, withoutList(first)])
        expect([kind, action, listIn(other).length > 0]).toEqual([kind, action, listIn(first).length > 0])
      }
    }
  }
})

attack("WAN-04", "two spellings of an email get the same list, known or not", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn", security: signUpAllowed })
  await adaWithPasskey(its, createAuthenticator({ residentKeys: false }))
  for (const email of [ada, unknown]) {
    const lists = [email, email.toUpperCase(), email.replace("example", "ex\uFE0Fample"), `${email}.`].map(
      async (typed) => {
        const response = await its.browser
          .fresh()
          .fetch(`/auth/webauthn-options/webauthn?email=${encodeURIComponent(typed)}`)
        const { options } = (await response.json()) as Partial<Seen["body"]>
        return options?.allowCredentials ?? "refused"
      },
    )
    const found = (await Promise.all(lists)).filter((list) => list !== "refused")
    for (const list of found) expect(list).toEqual(found[0])
  }
})

interface Seen {
  readonly body: { readonly options: { readonly allowCredentials?: readonly { readonly transports: unknown }[] } }
}

function listIn({ body }: Seen): readonly { readonly transports: unknown }[] {
  return body.options.allowCredentials ?? []
}

function withoutList(response: Seen): unknown {
  const { allowCredentials: _, ...options } = response.body.options
  return { ...response, body: { ...response.body, options } }
}

/** ID lengths and transports of Windows Hello, passkeys of Google and Apple, and security keys. */
const common = [
  { bytes: 32, transports: ["internal"] },
  { bytes: 16, transports: ["hybrid", "internal"] },
  { bytes: 20, transports: ["hybrid", "internal"] },
  { bytes: 48, transports: ["nfc", "usb"] },
] as const

attack("WAN-04", "the passkeys of common authenticators don't tell a known email from an unknown one", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  const shapes = new Set<string>()
  for (let count = 0; count < 300; count += 1) {
    shapes.add(shapeOf(await listed(its.browser.fresh(), `user${count}@example.test`)))
  }
  for (const counts of [1, 2]) {
    for (const { bytes, transports } of common) {
      const known = await passkeySite(mode, { kind: "webauthn" })
      for (let count = 0; count < counts; count += 1) {
        const faults = {
          authenticatorData: (data: AuthenticatorData) => ({
            ...data,
            ...(data.credential && {
              credential: { ...data.credential, id: crypto.getRandomValues(new Uint8Array(bytes)) },
            }),
          }),
        }
        await adaWithPasskey(known, createAuthenticator({ transports, faults }))
      }
      expect([...shapes]).toContain(shapeOf(await listed(known.browser.fresh(), ada)))
    }
  }
})

function shapeOf(list: readonly Listed[]): string {
  return JSON.stringify(list.map(({ id, transports }) => [id.length, transports?.toSorted()]))
}

interface Listed {
  readonly id: string
  readonly transports?: readonly string[]
}

async function listed(browser: Browser, email: string): Promise<readonly Listed[]> {
  const { options } = await issue(browser, { action: "authenticate", email }, provider)
  return (options["allowCredentials"] ?? []) as Listed[]
}

attack("WAN-04", "the passkeys that are listed for an unknown email stay the same, as real ones do", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  await adaWithPasskey(its)
  for (const email of [ada, unknown]) {
    const first = await listed(its.browser.fresh(), email)
    expect(first.length).toBeGreaterThan(0)
    for (const again of [its.browser.fresh(), its.browser.fresh(), its.browser]) {
      expect(await listed(again, email)).toEqual(first)
    }
    its.clock.advance({ days: 30 })
    expect(await listed(its.browser.fresh(), email)).toEqual(first)
  }
  const others = await Promise.all(
    ["a", "b", "c", "d"].map(async (name) => listed(its.browser.fresh(), `${name}@example.test`)),
  )
  expect(new Set(others.map((list) => JSON.stringify(list))).size).toBe(4)
})

attack("WAN-04", "known and unknown emails cause the same calls of the adapter", async (mode) => {
  for (const kind of ["passkey", "webauthn"] as const) {
    const calls: string[] = []
    const its = await passkeySite(mode, {
      kind,
      security: signUpAllowed,
      adapter: (store) => intercept(store, (method, run) => (calls.push(method), run())),
    })
    await adaWithPasskey(its)
    for (const action of ["authenticate", "register"]) {
      const made = []
      for (const email of [ada, unknown]) {
        calls.length = 0
        await issue(its.browser.fresh(), { action, email }, kind)
        made.push([...calls])
      }
      expect([kind, action, made[1]]).toEqual([kind, action, made[0]])
    }
  }
})

attack("WAN-04", "other spellings of an email give the same list for known and unknown emails", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  await adaWithPasskey(its)
  const isSame = async (email: string, spelling: string) =>
    JSON.stringify(await listed(its.browser.fresh(), email)) ===
    JSON.stringify(await listed(its.browser.fresh(), spelling))
  for (const change of [
    (email: string) => email.toUpperCase(),
    (email: string) => ` ${email} `,
    (email: string) => email.replace("a", "ａ"),
    (email: string) => email.replace("@", "+tag@"),
  ]) {
    expect(await isSame(ada, change(ada))).toBe(await isSame(unknown, change(unknown)))
  }
})

attack("WAN-04", "a wrong answer gets the same error for a real passkey and for a made-up one", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  const authenticator = await adaWithPasskey(its, createAuthenticator({ residentKeys: false }))
  const errors = []
  for (const [email, fault] of [
    [ada, authenticatorFaults.badSignature],
    [unknown, {}],
    [ada, authenticatorFaults.unknownCredential],
  ] as const) {
    const browser = its.browser.fresh()
    const { options } = await issue(browser, { action: "authenticate", email }, provider)
    const [{ id } = { id: "" }] = (options["allowCredentials"] ?? []) as { id: string }[]
    const remove = authenticator.inject(fault)
    const signed = await authenticator.get({
      ...options,
      allowCredentials: authenticator.credentials.map((own) => ({ id: own.id })),
    })
    remove()
    const claimed = email === ada ? signed : { ...signed, id, rawId: id }
    await send(browser, "authenticate", claimed, { provider })
    errors.push([errorAt(browser), browser.response.status, browser.text.length])
  }
  expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1)
})

attack("WAN-04", "a user who is signed in learns nothing about the emails of others", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  await adaWithPasskey(its)
  const { browser } = its
  await browser.signInWith(its.op, { as: "grace" })
  const lists = []
  for (const email of [ada, unknown]) {
    const { options } = await issue(browser, { action: "authenticate", email }, provider)
    lists.push(JSON.stringify(options["allowCredentials"] ?? []))
    const register = await issue(browser, { action: "register", email }, provider)
    expect(register).toMatchObject({ options: { user: { name: "grace@example.test" } } })
  }
  expect(new Set(lists).size).toBe(1)
})

attack("WAN-04", "the options don't reveal the stored user handle or the user's name", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn", security: signUpAllowed })
  const authenticator = await adaWithPasskey(its)
  const [user] = its.store.rows().users
  for (const action of ["register", "authenticate"]) {
    const browser = its.browser.fresh()
    const text = JSON.stringify(await issue(browser, { action, email: ada }, provider))
    for (const secret of [user?.id, user?.name, authenticator.credentials[0]?.userId]) {
      expect(text).not.toContain(String(secret))
    }
    for (const cookie of challengeCookies(browser)) expect(cookie.value).not.toContain(user?.id)
  }
})
