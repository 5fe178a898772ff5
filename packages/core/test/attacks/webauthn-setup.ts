import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import type { AuthConfig, SecurityOptions, WebAuthnConfig } from "@latchkey/core/types"
import {
  type Authenticator,
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
import type { Mode } from "../../../../tests/attack.js"
import { errorAt, hasSession, mailbox, type Mailbox } from "../flows/signin/setup.js"
import { strongSecret } from "../modes/setup.js"

export const ada = "ada@example.test"
export const grace = "grace@example.test"
export const failed = "/auth/error WebAuthnVerificationError"

export interface PasskeySite {
  readonly browser: Browser
  readonly store: MemoryAdapter
  readonly op: FakeProvider
  readonly mail: Mailbox
  readonly log: CapturedLog
  readonly clock: FrozenClock
  readonly config: AuthConfig
  readonly provider: WebAuthnConfig
}

interface Choices {
  readonly kind?: "passkey" | "webauthn"
  readonly provider?: Partial<WebAuthnConfig>
  readonly rest?: Partial<AuthConfig>
  readonly security?: SecurityOptions
  readonly store?: MemoryAdapter
  readonly adapter?: (store: MemoryAdapter) => Adapter
  /** Whether users can sign in by email, which needs an adapter with tokens. @default true */
  readonly byEmail?: boolean
}

/** An application with a passkey provider, an OpenID provider and email. Rate limits have their own tests. */
export async function passkeySite(mode: Mode, choices: Choices = {}): Promise<PasskeySite> {
  const { kind = "passkey", store = memoryAdapter(), rest, security, byEmail = true } = choices
  const clock = frozenClock()
  const [op, mail, log] = [createProvider({ clock }), mailbox(), captureLog()]
  const provider = { passkey: Passkey, webauthn: WebAuthn }[kind](choices.provider)
  const config: AuthConfig = {
    secret: strongSecret,
    url: "https://app.test/auth",
    security: { mode, ...security },
    adapter: choices.adapter?.(store) ?? store,
    providers: [provider, op.provider(), ...(byEmail ? [mail.provider] : [])],
    experimental: { enableWebAuthn: true },
    logger: log.logger,
    rateLimit: false,
    ...rest,
  }
  return { browser: await visit(config, { clock }), store, op, mail, log, clock, config, provider }
}

/** Both modes allow sign-up here. */
export const signUpAllowed = { passkeySignUp: true } as const

/** Ada signs in at the provider and adds a passkey. */
export async function adaWithPasskey(
  { browser, op, provider }: PasskeySite,
  authenticator: Authenticator = createAuthenticator(),
  as = "ada",
): Promise<Authenticator> {
  const tab = browser.fresh()
  await tab.signInWith(op, { as })
  await tab.registerPasskey(authenticator, { provider: provider.id })
  expect(errorAt(tab)).toBe("/ null")
  return authenticator
}

/** The rows that an attack must not change. Those of used challenges may. */
export function rowsOf(store: MemoryAdapter): Omit<ReturnType<MemoryAdapter["rows"]>, "verificationTokens"> {
  const { verificationTokens: _, ...rows } = store.rows()
  return structuredClone(rows)
}

/** @param what names the case in the failure */
export function assertRefused(browser: Browser, what: unknown = ""): void {
  expect([what, errorAt(browser), hasSession(browser)]).toEqual([what, failed, false])
}

export function challengeCookies(browser: Browser): Browser["cookies"] {
  return browser.cookies.filter(({ name }) => name.includes("challenge"))
}

/** Puts the challenge cookies of another browser, or earlier ones, into this one. */
export function plant(browser: Browser, cookies: Browser["cookies"]): void {
  for (const cookie of cookies) browser.jar.put(cookie)
}
