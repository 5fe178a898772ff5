import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import type { AuthConfig, WebAuthnConfig } from "@latchkey/core/types"
import {
  type AuthenticationResponse,
  type Authenticator,
  type Browser,
  captureLog,
  type CapturedLog,
  createAuthenticator,
  type CreationOptions,
  type Fields,
  frozenClock,
  type FrozenClock,
  type RegistrationResponse,
  type RequestOptions,
  visit,
} from "@latchkey/testing"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"
export const origin = "https://app.test"
export const ada = "ada@example.test"
export const grace = "grace@example.test"

/** A call of the adapter. */
export interface Call {
  readonly method: string
  readonly args: readonly unknown[]
}

export interface Site {
  readonly browser: Browser
  readonly store: MemoryAdapter
  readonly calls: readonly Call[]
  readonly log: CapturedLog
  readonly clock: FrozenClock
  readonly config: AuthConfig
  readonly provider: WebAuthnConfig
  readonly authenticator: Authenticator
}

interface SiteOptions {
  readonly kind?: "passkey" | "webauthn"
  readonly provider?: Partial<WebAuthnConfig>
  readonly config?: Partial<AuthConfig>
  readonly store?: MemoryAdapter
  readonly around?: (store: MemoryAdapter) => Adapter
  readonly clock?: FrozenClock
  readonly origin?: string
  readonly authenticator?: Authenticator
}

/** An application with one passkey provider and a memory adapter, in a browser that isn't signed in. */
export async function site(options: SiteOptions = {}): Promise<Site> {
  const { kind = "passkey", store = memoryAdapter(), clock = frozenClock(), authenticator } = options
  const provider = { passkey: Passkey, webauthn: WebAuthn }[kind](options.provider)
  const calls: Call[] = []
  const log = captureLog()
  const recorded = recording(options.around?.(store) ?? store, calls)
  const config: AuthConfig = {
    secret,
    url: "https://app.test/auth",
    adapter: recorded,
    providers: [provider],
    logger: log.logger,
    experimental: { enableWebAuthn: true },
    ...options.config,
  }
  const browser = await visit(config, { clock, ...(options.origin !== undefined && { origin: options.origin }) })
  return {
    browser,
    store,
    calls,
    log,
    clock,
    config,
    provider,
    authenticator: authenticator ?? createAuthenticator(),
  }
}

/** Records the calls of an adapter, inside transactions too. */
function recording(adapter: Adapter, calls: Call[]): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || typeof name !== "string") return member
      if (name === "transaction") {
        return (work: (inside: Adapter) => Promise<unknown>) =>
          target.transaction?.((inside) => work(recording(inside, calls)))
      }
      return (...args: unknown[]) => {
        calls.push({ method: name, args })
        return Reflect.apply(member, target, args)
      }
    },
  })
}

export type Issued =
  | { readonly action: "register"; readonly options: CreationOptions & Record<string, unknown> }
  | { readonly action: "authenticate"; readonly options: RequestOptions & Record<string, unknown> }

/** The response of the options endpoint. */
export async function ask(
  browser: Browser,
  query: Fields = {},
  provider = "passkey",
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await browser.fetch(`/auth/webauthn-options/${provider}?${new URLSearchParams(query).toString()}`)
  return { status: response.status, body: await response.json() }
}

/** Options that the endpoint must return. */
export async function issue(browser: Browser, query: Fields = {}, provider = "passkey"): Promise<Issued> {
  const { status, body } = await ask(browser, query, provider)
  if (status !== 200) throw new Error(`The options endpoint responded ${status}: ${JSON.stringify(body)}`)
  return body as Issued
}

/** Lets the authenticator answer the options, without sending the answer. */
export async function answer(
  authenticator: Authenticator,
  issued: Issued,
): Promise<RegistrationResponse | AuthenticationResponse> {
  return issued.action === "register"
    ? await authenticator.create(issued.options)
    : await authenticator.get(issued.options)
}

/** Posts an answer to the callback. */
export async function send(
  browser: Browser,
  action: string,
  data: unknown,
  { provider = "passkey", fields = {} }: { readonly provider?: string; readonly fields?: Fields } = {},
): Promise<Response> {
  return await browser.post(`/auth/callback/${provider}`, {
    csrfToken: (await browser.csrf()) ?? "",
    action,
    data: typeof data === "string" ? data : JSON.stringify(data),
    ...fields,
  })
}

/** Signs up with a new passkey. */
export async function signUp(
  { browser, authenticator, provider }: Pick<Site, "browser" | "authenticator" | "provider">,
  email = ada,
): Promise<void> {
  await browser.registerPasskey(authenticator, { provider: provider.id, fields: { email } })
}

/** The only stored passkey. */
export function onlyPasskey(store: MemoryAdapter): AdapterAuthenticator {
  const [passkey, ...more] = store.rows().authenticators
  if (passkey === undefined || more.length > 0) throw new Error(`There are ${more.length + 1} passkeys, not one.`)
  return passkey
}

/** Standard base64 with padding, as v5 stores IDs and keys. */
export function base64Of(base64url: string): string {
  return Buffer.from(base64url, "base64url").toString("base64")
}

export function methodsOf(calls: readonly Call[]): readonly string[] {
  return calls.map(({ method }) => method)
}
