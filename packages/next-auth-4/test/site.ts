// An application on https://app.test, and its visitors.
import { vi } from "vitest"
import NextAuth from "../src/index.js"
import type { Anything } from "../src/model.js"
import Credentials from "../src/providers/credentials.js"
import type { AuthOptions } from "../src/types.js"

export const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
export const origin = "https://app.test"
export const sessionCookie = "__Secure-next-auth.session-token"

/** For `beforeEach`: its environment, without what the machine may set. */
export function prepare(): void {
  vi.stubEnv("NEXTAUTH_URL", origin)
  vi.stubEnv("NEXTAUTH_SECRET", undefined)
  vi.stubEnv("AUTH_SECRET", undefined)
  vi.stubEnv("VERCEL", undefined)
  vi.stubEnv("AUTH_TRUST_HOST", undefined)
}

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

let sites = 0

/** One password is right. Any other is the text of the error. Each has another secret, so that they share no rate limits. */
export function optionsOf(change: Partial<AuthOptions> = {}): AuthOptions {
  const authorize = async (credentials: Record<string, string> | undefined) => {
    if (credentials?.["password"] !== "open sesame") throw new Error(credentials?.["password"])
    return { id: "1", name: "Ada" }
  }
  const own = `${secret}${sites++}`
  return { secret: own, logger, providers: [Credentials({ credentials: { password: {} }, authorize })], ...change }
}

/** Cookies by name. */
export type Jar = Map<string, string>

interface Sent {
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly jar?: Jar
}

/** Sends a request of a browser to the Route Handler. */
export async function send(
  options: AuthOptions,
  { path, form, headers = {}, jar = new Map() }: Sent,
): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  const body = form && new URLSearchParams(form)
  const common = { ...(cookie !== "" && { cookie }), ...(body && { origin }), ...headers }
  const response = await route(path, { headers: common, ...(body && { method: "POST", body }) }, options)
  keepCookies(jar, response)
  return response
}

function keepCookies(jar: Jar, { headers }: Response): void {
  for (const line of headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") jar.delete(name)
    else jar.set(name, value)
  }
}

/** Sends any request to the Route Handler. */
export async function route(
  path: string,
  init: RequestInit & { duplex?: "half" } = {},
  options: AuthOptions = optionsOf(),
): Promise<Response> {
  const nextauth = (path.split("?", 1)[0] ?? "").split("/")
  const request = new Request(new URL(`/api/auth/${path}`, "http://internal.test"), init)
  return NextAuth(options)(request, { params: Promise.resolve({ nextauth }) })
}

interface Parsed {
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly query?: Anything
  readonly body?: Anything
}

interface Answer {
  readonly status: number
  readonly headers: Headers
}

/** Sends a request to the API Route, as the Pages Router has parsed it. */
export async function page({
  path,
  method = "POST",
  type = "application/json",
  query,
  body = {},
}: Parsed): Promise<Answer> {
  const headers = new Headers()
  const res: Anything = {
    statusCode: 200,
    headersSent: false,
    getHeader: (name: string) => headers.get(name) ?? undefined,
    setHeader: (name: string, value: string) => headers.set(name, value),
    end: () => undefined,
  }
  const req = {
    method,
    headers: { "content-type": type, origin },
    query: { ...query, nextauth: path.split("/") },
    body,
  }
  await NextAuth(optionsOf())(req, res)
  return { status: res.statusCode, headers }
}

export async function csrf(options: AuthOptions, jar: Jar): Promise<string> {
  return (JSON.parse(await (await send(options, { path: "csrf", jar })).text()) as { csrfToken: string }).csrfToken
}

export async function signIn(
  options: AuthOptions,
  jar: Jar,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = { csrfToken: await csrf(options, jar), password: "open sesame", ...fields }
  return send(options, { path: "callback/credentials", form, jar })
}

/** The session in the Pages Router, of a browser with these cookies. */
export function requestWith(cookie: string): readonly [req: Anything, res: Anything] {
  const res = { headersSent: false, getHeader: () => undefined, setHeader: () => undefined }
  return [{ headers: { cookie }, cookies: {} }, res]
}
