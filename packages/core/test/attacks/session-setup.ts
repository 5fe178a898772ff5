import { createCipheriv, hkdfSync, randomBytes } from "crypto"
import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import type { Browser } from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { intercept } from "../flows/signin/setup.js"
import { appOf, strongSecret, type World, world } from "../modes/setup.js"

export const strategies = ["jwt", "database"] as const
export type Strategy = (typeof strategies)[number]

/** The name of the session cookie over https. */
export function sessionName(mode: Mode): string {
  return `${mode === "strict" ? "__Host-" : "__Secure-"}authjs.session-token`
}

/** Signs in as Ada in a new browser. */
export async function adaAt(
  security: Mode,
  rest: Partial<AuthConfig> = {},
  its: World = world(),
): Promise<{ readonly its: World; readonly browser: Browser; readonly rest: Partial<AuthConfig> }> {
  const given = { security, ...rest }
  const browser = await appOf(its, given)
  await browser.signInWith(its.op, { as: "ada" })
  return { its, browser, rest: given }
}

/** Another browser with a copy of the cookies. */
export function thiefOf(browser: Browser): Browser {
  const thief = browser.fresh()
  for (const cookie of browser.cookies) thief.jar.put(cookie)
  return thief
}

export interface Answered {
  readonly status: number
  readonly body: unknown
  readonly setCookies: readonly string[]
  /** The names of the cookies that the response deletes. */
  readonly cleared: readonly string[]
}

/** Sends `GET /auth/session` without a test browser. */
export async function askSession(config: AuthConfig, cookie: string): Promise<Answered> {
  const response = await Auth(new Request("https://app.test/auth/session", { headers: { cookie } }), config)
  const setCookies = response.headers.getSetCookie()
  const cleared = setCookies
    .filter((line) => /; Max-Age=0(?:;|$)/.test(line))
    .map((line) => line.split("=", 1)[0] ?? "")
  return { status: response.status, body: await response.json(), setCookies, cleared }
}

export function cookieHeader(browser: Browser): string {
  return browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
}

/** Records the names of the called adapter methods. */
export function counted<A extends Adapter>(adapter: A): { readonly adapter: A; readonly calls: string[] } {
  const calls: string[] = []
  const recording = intercept(adapter, async (method, run) => {
    calls.push(method)
    return run()
  })
  return { adapter: recording, calls }
}

/** Makes one adapter method wait while the gate is closed. */
export function gated<A extends Adapter>(adapter: A, method: string) {
  let open = () => {}
  let gate: Promise<void> | undefined
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const waiting = intercept(adapter, async (name, run) => {
    if (name !== method || gate === undefined) return run()
    arrive()
    await gate
    return run()
  })
  const close = () => {
    gate = new Promise<void>((resolve) => {
      open = () => {
        gate = undefined
        resolve()
      }
    })
  }
  return { adapter: waiting, arrived, close, open: () => open() }
}

/** Reads sessions from a replica, which stays as it is from `stop` on. It asks the database for sessions that it doesn't have. */
export function lagging(store: MemoryAdapter): { readonly adapter: MemoryAdapter; stop(): Promise<void> } {
  const replica = new Map<string, Awaited<ReturnType<MemoryAdapter["getSessionAndUser"]>>>()
  const getSessionAndUser: MemoryAdapter["getSessionAndUser"] = async (token) =>
    structuredClone(replica.get(token)) ?? store.getSessionAndUser(token)
  const stop = async () => {
    for (const { sessionToken } of store.rows().sessions) {
      replica.set(sessionToken, await store.getSessionAndUser(sessionToken))
    }
  }
  return { adapter: { ...store, getSessionAndUser }, stop }
}

/** The password signs in as the stored user with the given name. */
export function byWord(its: World) {
  return credentials({
    credentials: { name: {}, word: {} },
    authorize: async ({ name, word }) =>
      word === "open" ? its.adapter.getUserByEmail(`${String(name)}@example.test`) : null,
  })
}

export interface Forgery {
  readonly salt: string
  readonly header?: object
  readonly secret?: string
  /** The claims, or the raw bytes, to encrypt. */
  readonly content: object | Uint8Array
  /** The second part of the token, which is empty with `alg: "dir"` (RFC 7518 §4.5). */
  readonly encryptedKey?: string
}

/** Encrypts a token with the secret of the application or another one. */
export function forge({ salt, header = {}, secret = strongSecret, content, encryptedKey = "" }: Forgery): string {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const key = new Uint8Array(hkdfSync("sha256", secret, salt, info, 32))
  const named = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", ...header })).toString("base64url")
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(named))
  const text = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString("base64url"))
  return [named, encryptedKey, ...parts].join(".")
}
