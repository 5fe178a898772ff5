import { vault } from "@latchkey/core/tokens"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { customFetch } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { clientIp } from "../../src/http/client-ip.js"
import * as limits from "../../src/limits/of-input.js"
import { readCredential } from "../../src/features/passkeys/ceremony.js"
import { cookiesOf, door, session, whoIs } from "../attacks/door-setup.js"
import { form } from "../attacks/surface-setup.js"
import type { Mode } from "../../../../tests/attack.js"
import { site as accountSite } from "../account/setup.js"
import { begin, open } from "../flows/oauth/app.js"
import { location, origin, secret } from "../http/app.js"
import { site as passkeySite } from "../methods/webauthn/setup.js"

type Name = keyof typeof limits

/** Whether a value of this size is used. */
type Probe = (size: number) => Promise<boolean>

const probes: Record<Name, Probe> = {
  maxPath: async (size) => {
    const id = "p".repeat(size - "/signin/".length)
    const provider = { ...credentials({ credentials: {}, authorize: () => null }), id }
    return (await door("compatible", { providers: [provider] }).get(`/auth/signin/${id}`)).status === 200
  },
  maxQuery: async (size) => (await door("strict").get(`/auth/signin${"?q=".padEnd(size, "a")}`)).status === 200,
  maxQueryParams: async (size) => (await door("strict").get(`/auth/signin?${"a=1&".repeat(size)}`)).status === 200,
  maxHost: (size) => isReadable({ host: hostOf(size) }),
  maxForwardedHost: (size) => isReadable({ host: "app.test", "x-forwarded-host": "app.test,".padEnd(size, "x") }),
  maxForwardedProto: (size) => isReadable({ host: "app.test", "x-forwarded-proto": "https,".padEnd(size, "x") }),
  maxForwardedFor: async (size) => {
    const headers = new Headers({ "x-forwarded-for": `203.0.113.7,${"10.0.0.1".padStart(size - 12)}` })
    const found = clientIp({ headers, peer: undefined, options: { trustedProxies: 2 }, behindProxy: true })
    return found === "203.0.113.7"
  },
  maxOrigin: async (size) => {
    const host = hostOf(size - "https://".length)
    return location(await door("compatible").post("/auth/signout", {}, { host, origin: `https://${host}` })) === origin
  },
  maxReferer: async (size) => {
    const { post } = door("compatible")
    return location(await post("/auth/signout", {}, { referer: `${origin}/`.padEnd(size, "r") })) !== origin
  },
  maxUserAgent: async (size) => {
    const fails = () => {
      throw new Error("no")
    }
    const { get } = door("compatible", { callbacks: { redirect: fails } })
    const agents = ["a", "b"].map((end) => ({ "user-agent": "u".repeat(size - 1) + end }))
    await get("/auth/signin", agents[0])
    return !(await (await get("/auth/error?error=Configuration", agents[1])).text()).includes("Error ID")
  },
  maxBearerToken: async (size) => {
    const headers = { authorization: `Bearer ${"t".repeat(size)}` }
    return (await getToken({ req: { headers }, secret, decode: async () => ({ sub: "ada" }) })) !== null
  },

  maxCookieHeader: async (size) => readsSession((own) => `${filler(size - own.length - 2)}; ${own}`),
  maxCookies: async (size) => {
    const others = Array.from({ length: size - 1 }, (_, index) => `c${index}=x`)
    return readsSession((own) => [...others, own].join("; "))
  },
  maxCookie: async (size) =>
    (await door("strict").get("/auth/csrf", { cookie: "x=".padEnd(size, "y") })).status === 200,
  maxSessionParts: async (size) => {
    const notes = "n".repeat(Math.floor(((3936 * size - 600) * 3) / 4))
    const app = door("compatible", { callbacks: { jwt: ({ token }) => ({ ...token, notes }) } })
    const parts = (await session(app)).match(/session-token\.\d=/g)?.length
    expect([size, undefined]).toContain(parts)
    return parts === size
  },
  maxSessionToken: async (size) => {
    const store = memoryAdapter()
    const { id } = await store.createUser({ id: "1", name: "ada", email: "ada@app.test", emailVerified: null })
    const sessionToken = "t".repeat(size)
    await store.createSession({ sessionToken, userId: id, expires: new Date(4e12) })
    const app = door("compatible", { adapter: store, session: { strategy: "database" }, providers: [] })
    return (await whoIs(app, `__Secure-authjs.session-token=${sessionToken}`)) === "ada"
  },
  maxLinkCookies: async (size) => {
    const app = door("compatible")
    const own = cookiesOf(await app.post("/auth/signin/mail", { email: "ada@app.test" }))
    const link = own.split("; ").find((cookie) => cookie.includes("nonce.")) ?? ""
    const junk = Array.from({ length: size - 1 }, (_, index) => link.replace(/=.*/, `x${index}=junk`))
    const response = await app.get(app.mails[0]?.slice(origin.length) ?? "", { cookie: [link, ...junk].join("; ") })
    return response.status === 302 && cookiesOf(response).includes("session-token")
  },

  maxBodyBytes: async (size) =>
    (await door("strict").send("/auth/signout", form("a=".padEnd(size, "b")))).status === 302,
  maxBodyFields: async (size) => (await door("strict").send("/auth/signout", form("a=1&".repeat(size)))).status === 302,
  maxBodyNesting: async (size) => {
    const body = `{"data":${"[".repeat(size - 1)}${"]".repeat(size - 1)}}`
    return (await (await door("strict").send("/auth/session", form(body, "application/json"))).json()) === null
  },

  maxCredential: async (size) => reachesAuthorize({ name: "n".repeat(size) }),
  maxStrictCredential: async (size) => reachesAuthorize({ name: "n".repeat(size) }, "strict"),
  maxCredentials: async (size) =>
    reachesAuthorize(Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, "x"]))),
  maxIdentifiers: async (size) => {
    const app = door("compatible", { rateLimit: {} })
    const fields = Array.from({ length: size }, (_, index) => [`f${index}`, `${index}@app.test`] as const)
    await app.post("/auth/callback/credentials", Object.fromEntries(fields))
    return app.asked.length === 1
  },

  maxAttemptField: async (size) => keepsTyped({ name: "n".repeat(size) }),
  maxAttemptBytes: async (size) => {
    const names = Array.from({ length: Math.ceil(size / 254) }, (_, index) => `f${index}`)
    const last = size - (names.length - 1) * 254 - 2
    return keepsTyped(
      Object.fromEntries(names.map((name, index) => [name, "n".repeat(index === names.length - 1 ? last : 252)])),
    )
  },

  maxEmailInput: async (size) => isMailed("ada@app.test".padEnd(size)),
  maxEmail: async (size) => isMailed(`${"a".repeat(64)}@${hostOf(size - 65)}`),
  maxEmailLocal: async (size) => isMailed(`${"a".repeat(size)}@app.test`),
  maxLinkToken: async (size) => opensLink({ generateVerificationToken: () => "t".repeat(size) }),
  maxLinkEmail: async (size) => opensLink({ normalizeIdentifier: () => "i".repeat(size) }),
  maxTypedCode: async (size) => {
    const codes: string[] = []
    const sendVerificationRequest = ({ code = "" }) => void codes.push(code)
    const app = door("compatible", { providers: [{ ...mailer, code: true, sendVerificationRequest }] })
    const cookie = cookiesOf(await app.post("/auth/signin/mail", { email: "ada@app.test" }))
    const response = await app.post("/auth/callback/mail", { code: (codes[0] ?? "").padEnd(size) }, { cookie })
    return cookiesOf(response).includes("session-token")
  },

  maxCallbackUrl: async (size) => leadsTo("/".padEnd(size, "a")),
  maxUrlPart: async (size) => leadsTo(`/${"\u00FC".repeat(size)}`),

  maxAuthorizationCode: (size) => isCallbackRead({ code: "c".repeat(size) }),
  maxState: (size) => isCallbackRead({ state: "s".repeat(size) }),
  maxProviderError: (size) => isCallbackRead({ error: "e".repeat(size) }),
  maxIssuer: (size) => isCallbackRead({ iss: "i".repeat(size) }),
  maxCallbackParam: (size) => isCallbackRead({ other: "o".repeat(size) }),
  maxCaptchaToken: async (size) => {
    const captcha = { field: "token", verify: () => true }
    const response = await door("compatible", { captcha }).post("/auth/signin/mail", {
      email: "ada@app.test",
      token: "t".repeat(size),
    })
    return location(response)?.includes("verify-request") === true
  },
  maxPassedState: (size) => passes({ a: "a".repeat(size - '{"a":""}'.length) }),
  maxPassedStateNesting: (size) => passes(JSON.parse(`${'{"a":'.repeat(size - 1)}{}${"}".repeat(size - 1)}`)),
  maxRequestedParam: async (size) => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    return (await begin(browser, "op", { login_hint: "h".repeat(size) })).searchParams.has("login_hint")
  },
  maxRequestedParamName: async (size) => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    return (await begin(browser, "op", { ["n".repeat(size)]: "x" })).searchParams.has("n".repeat(size))
  },

  maxProviderResponse: async (size) => signsIn((op) => op.provider(padded(op, "openid-configuration", size))),
  maxProviderToken: async (size) => {
    const op = createProvider({
      faults: { token: ({ body, ...rest }) => ({ ...rest, body: { ...body, ...long(size) } }) },
    })
    const { browser, adapter } = await open([op.provider()], { tokens: vault })
    await browser.signInWith(op, { as: "ada" })
    return (await adapter.records.list("tokens.account", { limit: 1 })).records.length === 1
  },
  maxKeySet: async (size) => signsIn((op) => op.provider(padded(op, "jwks", size))),
  maxEndpoint: async (size) => {
    const op = createProvider()
    const endpoint = `${op.issuer}/authorize?x=`.padEnd(size, "y")
    const { browser } = await open([
      op.provider(changed(op, (document) => ({ ...document, authorization_endpoint: endpoint }))),
    ])
    return (await begin(browser)).href.startsWith(endpoint)
  },
  maxMetadataList: async (size) => {
    const names = [...Array.from({ length: size - 1 }, (_, index) => `X${index}`), "RS256"]
    const change = (document: object) => ({ ...document, id_token_signing_alg_values_supported: names })
    return signsIn((op) => op.provider(changed(op, change)))
  },
  maxProfileNesting: async (size) => {
    const deep: unknown = JSON.parse(`{"sub":"ada","a":${"[".repeat(size - 1)}${"]".repeat(size - 1)}}`)
    const request = () => Object(deep) as { sub: string }
    return signsIn((op) => op.oauthProvider({ userinfo: { url: `${op.issuer}/userinfo`, request } }))
  },
  maxSubject: async (size) => signsIn((op) => op.provider(), "s".repeat(size)),
  maxAccountId: async (size) => signsIn((op) => op.provider({ profile: () => ({ id: "i".repeat(size) }) })),
  maxProfileName: async (size) => (await storedUser({ name: "n".repeat(size) }))?.name?.length === size,
  maxProfileImage: async (size) => (await storedUser({ image: "data:".padEnd(size, "i") }))?.image?.length === size,
  maxClaimImage: async (size) => {
    const op = createProvider()
    const profile = () => ({ id: "1", name: "ada", image: "data:".padEnd(size, "i") })
    const { browser } = await open([op.provider({ profile })], { session: { strategy: "jwt" } })
    await browser.signInWith(op, { as: "ada" })
    return JSON.stringify(await browser.session()).includes("data:".padEnd(size, "i"))
  },

  maxTypedName: async (size) => changesTo({ name: "n".repeat(size) }),
  maxTypedImage: async (size) => changesTo({ image: "https://images.example/".padEnd(size, "i") }),

  maxPasskeyResponse: async (size) => {
    const data = passkey({}).replace(/\}$/, `,"x":"${"y".repeat(size - passkey({}).length - 7)}"}`)
    expect(data).toHaveLength(size)
    return readCredential({ ...request, body: { data } }) !== undefined
  },
  maxClientData: async (size) => {
    const bytes = `{"type":"x"}`.padEnd(Math.floor((size * 3) / 4))
    const clientDataJSON = btoa(bytes).replaceAll("=", "").padEnd(size, "A")
    return readCredential({ ...request, body: { data: passkey({ clientDataJSON }) } }) !== undefined
  },
  maxPasskeyName: async (size) => {
    const { browser } = await passkeySite({ config: { security: { mode: "compatible", passkeySignUp: true } } })
    const query = new URLSearchParams({ action: "register", email: "n".repeat(size) })
    return (await browser.fetch(`/auth/webauthn-options/passkey?${query}`)).status === 200
  },
}

test.each(Object.entries(limits))(
  "%s: a value of %i is used, as is a smaller one, and not a larger one",
  async (name, max) => {
    const probe = probes[name as Name]
    expect([await probe(max - 1), await probe(max), await probe(max + 1)]).toEqual([true, true, false])
  },
)

test("every limit of the table has a test, and there are no others", () => {
  expect(Object.keys(probes).toSorted()).toEqual(Object.keys(limits).toSorted())
})

/** Whether a sign-in with OAuth starts with this data of the application. */
async function passes(state: object): Promise<boolean> {
  const app = door("compatible")
  const response = await app.post("/auth/signin/op", { state: JSON.stringify(state) })
  return location(response)?.startsWith(app.op.issuer) === true
}

/** Whether a user can change the profile to exactly this. */
async function changesTo(changes: { readonly name?: string; readonly image?: string }): Promise<boolean> {
  const { account, adapter, browser, first } = await accountSite(memoryAdapter())
  await browser.signInWith(first, { as: "ada" })
  await account()
    .updateProfile(changes)
    .catch(() => undefined)
  const [user] = adapter.rows().users
  return Object.entries(changes).every(([field, value]) => user?.[field as "name" | "image"] === value)
}

function hostOf(length: number): string {
  const labels = Array.from({ length: Math.ceil(length / 60) }, () => "h".repeat(59)).join(".")
  return `${labels.slice(0, length - 5).replace(/\.$/, "h")}.test`
}

async function isReadable(headers: Record<string, string>): Promise<boolean> {
  const { log, config } = door("compatible", { url: undefined, trustHost: true })
  const server = createServer({ secret, providers: [], logger: log.logger, ...config, trustHost: true })
  return (await server.session({ headers: new Headers(headers) })).error === undefined
}

async function readsSession(cookie: (own: string) => string): Promise<boolean> {
  const app = door("strict")
  const server = createServer({ secret, providers: [], ...app.config })
  const own = (await session(app)).split("; ").find((each) => each.includes("session-token")) ?? ""
  const headers = new Headers({ cookie: cookie(own) })
  return (await server.session({ headers, origin })).session !== null
}

/** Cookies of this length together. */
function filler(length: number): string {
  const one = "x=".padEnd(4000, "y")
  const count = Math.floor(length / 4002)
  return [...Array.from({ length: count }, () => one), "z=".padEnd(length - count * 4002, "y")].join("; ")
}

async function reachesAuthorize(fields: Record<string, string>, mode: Mode = "compatible"): Promise<boolean> {
  const app = door(mode)
  await app.post("/auth/callback/credentials", fields)
  return app.asked.length === 1
}

async function isMailed(email: string): Promise<boolean> {
  const app = door("strict")
  await app.post("/auth/signin/mail", { email })
  return app.mails.length === 1
}

const mailer: EmailConfig = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }

async function opensLink(options: Partial<EmailConfig>): Promise<boolean> {
  const mails: string[] = []
  const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url)
  const app = door("compatible", { providers: [{ ...mailer, sendVerificationRequest, ...options }] })
  const cookie = cookiesOf(await app.post("/auth/signin/mail", { email: "ada@app.test" }))
  return cookiesOf(await app.get(mails[0]?.slice(origin.length) ?? "", { cookie })).includes("session-token")
}

async function leadsTo(callbackUrl: string): Promise<boolean> {
  return location(await door("compatible").post("/auth/signout", { callbackUrl })) !== origin
}

/** Whether a response of a provider is refused because of something else than its form. */
async function isCallbackRead(params: Record<string, string>): Promise<boolean> {
  const { send, log } = door("compatible")
  await send("/auth/callback/op", form(new URLSearchParams(params).toString()))
  const text = log.entries.map((entry) => entry.text).join()
  expect(text).toContain("was refused")
  return !/malformed|too long/.test(text)
}

type Provider = NonNullable<AuthConfig["providers"]>[number]

async function signsIn(provider: (op: FakeProvider) => Provider, as = "ada"): Promise<boolean> {
  const op = createProvider({ people: { [as]: { name: "Ada" } } })
  const { browser } = await open([provider(op)])
  await browser.signInWith(op, { as })
  return (await browser.session()) !== null
}

/** A refresh token that isn't checked at a sign-in. */
function long(size: number) {
  return { refresh_token: "r".repeat(size) }
}

async function storedUser(user: { readonly name?: string; readonly image?: string }) {
  const op = createProvider()
  const { browser, adapter } = await open([op.provider({ profile: () => ({ id: "1", ...user }) })])
  await browser.signInWith(op, { as: "ada" })
  return adapter.rows().users[0]
}

/** Whether the sign-in page shows all of this again after a wrong password. */
async function keepsTyped(typed: Record<string, string>) {
  const fields = Object.fromEntries(Object.keys(typed).map((name) => [name, { type: "text" }]))
  const app = door("compatible", { providers: [credentials({ credentials: fields, authorize: () => null })] })
  const opened = await app.get("/auth/signin")
  const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ""
  const body = new URLSearchParams({ csrfToken, ...typed })
  const headers = { cookie: cookiesOf(opened), "sec-fetch-mode": "navigate" }
  const refused = await app.send("/auth/callback/credentials", { method: "POST", body, headers })
  const shown = await (await app.get("/auth/signin", { cookie: cookiesOf(opened, refused) })).text()
  return Object.values(typed).every((value) => shown.includes(`value="${value}"`))
}

/** The document whose URL contains this, with spaces at its end. */
function padded(op: FakeProvider, path: string, size: number) {
  return rewritten(op, path, (text) => text.padEnd(size))
}

function changed(op: FakeProvider, change: (document: object) => object) {
  return rewritten(op, "openid-configuration", (text) => JSON.stringify(change(Object(JSON.parse(text)))))
}

function rewritten(op: FakeProvider, path: string, rewrite: (text: string) => string) {
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const response = await op.fetch(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (!url.includes(path)) return response
    return new Response(rewrite(await response.text()), { status: response.status, headers: response.headers })
  }
  return { [customFetch]: fetch }
}

const request = {} as Parameters<typeof readCredential>[0]

function passkey({ clientDataJSON = btoa("{}").replaceAll("=", "") }): string {
  return JSON.stringify({ id: "AAAA", response: { clientDataJSON } })
}
