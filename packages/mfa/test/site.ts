import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import type { AccountEmail, AuthConfig, EmailConfig, SecurityEvent, VerificationRequest } from "@latchkey/core/types"
import { mfa, type MfaOptions, type MfaServer } from "@latchkey/mfa"
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Browser,
  captureLog,
  type CapturedLog,
  createAuthenticator,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { expect } from "vitest"
import { codesOn, phone, type Phone } from "./phone.js"

export const modes = ["compatible", "strict"] as const
export const methods = ["oidc", "link", "code", "credentials", "passkey"] as const
export type Method = (typeof methods)[number]

/** An application with every sign-in method. Users sign up with a link to `<name>@users.test`. */
export interface Site {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly log: CapturedLog
  readonly op: FakeProvider
  /** Links and codes to sign in. */
  readonly links: readonly VerificationRequest[]
  /** What modules send. */
  readonly letters: readonly Letter[]
  /** Text messages. */
  readonly messages: readonly { readonly to: string; readonly code: string }[]
  readonly events: readonly SecurityEvent[]
  readonly server: MfaServer
  /** A browser of its own. */
  browse(): Promise<Browser>
  /** Another process of the application, with other options of the module. */
  another(options: MfaOptions): Promise<Site>
  idOf(name: string): string
}

interface Letter {
  readonly to: string
  readonly text: string
  readonly code: string | undefined
}

interface Shared {
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly log: CapturedLog
  readonly op: FakeProvider
  readonly links: VerificationRequest[]
  readonly letters: Letter[]
  readonly messages: { readonly to: string; readonly code: string }[]
  readonly events: SecurityEvent[]
}

export async function siteOf(options: MfaOptions = {}, more: Partial<AuthConfig> = {}): Promise<Site> {
  const clock = frozenClock()
  const ada = { sub: "ada", email: emailOf("ada"), email_verified: true }
  const op = createProvider({ clock, people: { ada } })
  const shared = { store: memoryAdapter(), clock, log: captureLog(), op }
  return processOf(options, more, { ...shared, links: [], letters: [], messages: [], events: [] })
}

async function processOf(options: MfaOptions, more: Partial<AuthConfig>, shared: Shared): Promise<Site> {
  const { store, clock, log, op, messages, events } = shared
  const sms = options.sms ?? { send: (message) => void messages.push(message) }
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    trustHost: true,
    environment: "development",
    session: { strategy: "jwt" },
    rateLimit: false,
    experimental: { enableWebAuthn: true },
    adapter: store,
    providers: [op.provider({ allowDangerousEmailAccountLinking: true }), mailProvider(shared), byName(store), passkey],
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    ...more,
    modules: [...(more.modules ?? []), mfa({ ...options, sms })],
  }
  const { mfa: members } = createServer(config).members
  return {
    ...shared,
    config,
    server: members as unknown as MfaServer,
    browse: async () => visit(config, { clock }),
    another: async (next) => processOf(next, more, shared),
    idOf: (name) => store.rows().users.find(({ email }) => email === emailOf(name))?.id ?? "",
  }
}

/** Accepts passkeys that didn't verify their user. */
const asked = { userVerification: "preferred" } as const
const passkey = Passkey({
  authenticationOptions: asked,
  verifyAuthenticationOptions: { requireUserVerification: false },
  registrationOptions: { authenticatorSelection: asked },
  verifyRegistrationOptions: { requireUserVerification: false },
})

export const emailOf = (name: string): string => `${name}@users.test`

function mailProvider({ links, letters }: Shared): EmailConfig {
  return {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: (message) => void links.push(message),
    sendAccountEmail: (message: AccountEmail) => {
      const { letter, identifier: to } = message
      if (letter !== undefined) letters.push({ to, text: letter.text, code: letter.code?.code })
    },
  }
}

/** Stands for a password. */
function byName(store: MemoryAdapter) {
  return credentials({
    credentials: { name: {} },
    authorize: async ({ name }) => (await store.getUserByEmail?.(emailOf(String(name)))) ?? null,
  })
}

/** Signs up, or in, with an email link. */
export async function signInByLink(site: Site, browser: Browser, name: string): Promise<void> {
  await browser.signIn("email", { email: emailOf(name), callbackUrl: "/auth/account" })
  await browser.get(site.links.at(-1)?.url ?? "")
}

/** As with a password. */
export async function signInByName(browser: Browser, name: string): Promise<void> {
  await browser.signIn("credentials", { name, callbackUrl: "/auth/account" })
}

export interface Person {
  readonly name: string
  readonly id: string
  readonly app: Phone
  readonly recovery: readonly string[]
  /** Where the user is signed in. */
  readonly browser: Browser
}

/** A new user, who is signed in. */
export async function newUser(site: Site, name = "ada"): Promise<Browser> {
  const browser = await site.browse()
  await signInByLink(site, browser, name)
  expect(await browser.session()).not.toBeNull()
  return browser
}

/** A user with an authenticator app. */
export async function enrolled(site: Site, name = "ada"): Promise<Person> {
  const browser = await newUser(site, name)
  const app = phone()
  await browser.get("/auth/account")
  await browser.submitForm("mfa/enroll", { method: "app" })
  app.scan(browser)
  await browser.submitForm("mfa/confirm", { code: app.code(site.clock.now()) })
  const recovery = codesOn(browser)
  expect(recovery).toHaveLength(10)
  return { name, id: site.idOf(name), app, recovery, browser }
}

/** Enters the password in a browser of its own: the sign-in is held, if a factor is asked. */
export async function held(site: Site, name = "ada", browser?: Browser): Promise<Browser> {
  const tab = browser ?? (await site.browse())
  await signInByName(tab, name)
  return tab
}

export function isHeld({ location }: Browser): boolean {
  return new URL(location).pathname === "/auth/factor"
}

/** Answers the factor, with what the app shows unless another code is given. */
export async function answer(site: Site, person: Person, browser: Browser, fields: object = {}): Promise<void> {
  await browser.submitForm("auth/factor", { code: person.app.code(site.clock.now()), ...fields })
}

/** Signs in completely in a browser of its own, a minute later, so that the next code of the app works. */
export async function signedIn(site: Site, person: Person, fields: object = {}): Promise<Browser> {
  site.clock.advance({ minutes: 1 })
  const browser = await held(site, person.name)
  await answer(site, person, browser, fields)
  expect(await browser.session()).not.toBeNull()
  return browser
}

/** Sends the form of the account page with this action and these hidden fields. */
export async function submit(browser: Browser, route: string, values: Readonly<Record<string, string>> = {}) {
  await browser.get("/auth/account")
  const index = browser.forms.findIndex(
    ({ action, fields }) =>
      action.endsWith(`/mfa/${route}`) &&
      Object.entries(values).every(([name, value]) => [value, "", undefined].includes(fields[name])),
  )
  if (index < 0) throw new Error(`The account page has no form for ${route}`)
  await browser.submitForm(index, values)
}

/** Whether any response since the last navigation sets a session cookie, or has a session. */
export function setsSession({ trail }: Browser): boolean {
  const lines = trail.flatMap(({ headers }) => headers.getSetCookie())
  return lines.some((line) => /session-token(?:\.\d+)?=[^;]/.test(line))
}

export async function passkeyOf(browser: Browser, options: AuthenticatorOptions = {}): Promise<Authenticator> {
  const authenticator = createAuthenticator(options)
  await browser.registerPasskey(authenticator)
  return authenticator
}
