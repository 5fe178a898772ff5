import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig, SecurityEvent } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { bearer, type BearerOptions, type BearerServer } from "../src/index.js"
import { createVerifier } from "../src/verify/verify.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"
export const modes = ["compatible", "strict"] as const
export type Mode = (typeof modes)[number]

export const issuer = "https://app.test/auth/bearer"
export const api = "https://api.test"
export const redirectUri = "com.example.app:/signed-in"

/** An app that users sign in to. */
export const app = { id: "app", name: "Example App", redirectUris: [redirectUri, "http://127.0.0.1/cb"] }

export interface Site {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly events: readonly SecurityEvent[]
  readonly logs: () => string
  readonly server: Server
  readonly bearer: BearerServer
  open(): Promise<Browser>
  /** A program: no cookies, and no headers of a browser. */
  send(path: string, init?: RequestInit): Promise<Response>
  idOf(name: string): string
}

export interface SiteOptions extends Partial<BearerOptions> {
  readonly mode?: Mode
  readonly config?: Partial<AuthConfig>
}

/** An application whose users sign in by name. */
export function siteOf({ mode = "compatible", config: more = {}, ...options }: SiteOptions = {}): Site {
  const [clock, log, store] = [frozenClock(), captureLog(), memoryAdapter()]
  const op = createProvider({ clock, people })
  const events: SecurityEvent[] = []
  const { records, ...adapter } = store
  const config: AuthConfig = {
    secret,
    url: "https://app.test/auth",
    security: mode,
    rateLimit: false,
    session: { strategy: "database", stepUp: true },
    adapter: { ...adapter, records: { ...records, atomic: "global" } },
    providers: [op.provider()],
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    ...more,
    modules: [...(more.modules ?? []), bearer({ audiences: [api], clients: [app], scopes: ["notes"], ...options })],
  }
  const server = createServer(config)
  return {
    config,
    store,
    clock,
    op,
    events,
    logs: () => log.entries.map(({ text }) => text).join("\n"),
    server,
    bearer: server.members["bearer"] as unknown as BearerServer,
    open: () => visit(config, { clock }),
    send: (path, init) => Auth(new Request(`https://app.test/auth/${path}`, init), config),
    idOf: (name) => store.rows().users.find((user) => user.name === name)?.id ?? "",
  }
}

const people = Object.fromEntries(
  ["ada", "eve"].map((name) => [name, { sub: name, name, email: `${name}@users.test`, email_verified: true }]),
)

/** Signs in by a provider whose clock is the site's. */
export async function signIn(site: Site, as = "ada", browser?: Browser): Promise<Browser> {
  const tab = browser ?? (await site.open())
  await tab.signInWith(site.op, { as })
  if ((await tab.session()) === null) throw new Error(`The sign-in failed: ${site.logs()}`)
  return tab
}

/** What a page of the site does: a token for an API. */
export async function mint(browser: Browser, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", ...fields })
  return browser.fetch("/auth/bearer/mint", { method: "POST", body })
}

export async function minted(browser: Browser, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { access_token = "" } = await read(await mint(browser, fields))
  return access_token
}

/** The verifier of an API, which loads the keys from the site. */
export function verifierOf(site: Site, audience: string = api) {
  const load = async (url: string) => site.send(url.replace("https://app.test/auth/", ""))
  return createVerifier({ issuer, audience, fetch: load, now: site.clock.now })
}

export const verifierText = "a-verifier-of-43-characters-that-no-one-knows"

export async function challengeOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Buffer.from(hash).toString("base64url")
}

export async function authorizeUrl(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
  const query = new URLSearchParams()
  const all = {
    client_id: app.id,
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: await challengeOf(verifierText),
    code_challenge_method: "S256",
    scope: "notes offline_access",
    state: "state-1",
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return `/auth/bearer/authorize?${query}`
}

/** The user agrees in a browser in which they are signed in. */
export async function codeFor(browser: Browser, changes: Readonly<Record<string, string | undefined>> = {}) {
  await browser.get(await authorizeUrl(changes))
  await browser.submitForm("bearer/authorize")
  return new URL(browser.location).searchParams.get("code") ?? ""
}

export async function post(site: Site, path: string, fields: Readonly<Record<string, string>>, headers = {}) {
  return site.send(path, { method: "POST", body: new URLSearchParams(fields), headers })
}

export async function redeem(site: Site, code: string, changes: Readonly<Record<string, string>> = {}) {
  return post(site, "bearer/token", {
    grant_type: "authorization_code",
    client_id: app.id,
    code,
    code_verifier: verifierText,
    redirect_uri: redirectUri,
    ...changes,
  })
}

export async function refresh(site: Site, refreshToken: string, changes: Readonly<Record<string, string>> = {}) {
  const fields = { grant_type: "refresh_token", client_id: app.id, refresh_token: refreshToken, ...changes }
  return post(site, "bearer/token", fields)
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly [name: string]: unknown
}

/** An app in which a user is signed in. */
export async function tokensOf(site: Site, browser: Browser, changes = {}): Promise<Tokens> {
  return read(await redeem(site, await codeFor(browser, changes)))
}

/** The JSON of a response. */
export async function read<T = Readonly<Record<string, string>>>(response: Response | undefined): Promise<T> {
  return (await response?.json()) as T
}

export function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
}
