import { decode } from "@auth/core/jwt"
import type { CookieJar, JarCookie } from "@latchkey/testing"
import { normalize, relative, withoutRandom } from "./normalize.js"
import type { CookieKey, CookieRole, Plan } from "./plan.js"

const defaults: Readonly<Record<CookieKey, string>> = {
  sessionToken: "authjs.session-token",
  callbackUrl: "authjs.callback-url",
  csrfToken: "authjs.csrf-token",
  pkceCodeVerifier: "authjs.pkce.code_verifier",
  state: "authjs.state",
  nonce: "authjs.nonce",
  webauthnChallenge: "authjs.challenge",
}

const roles: Readonly<Record<CookieKey, CookieRole>> = {
  sessionToken: "session",
  callbackUrl: "callback-url",
  csrfToken: "csrf",
  pkceCodeVerifier: "pkce",
  state: "state",
  nonce: "nonce",
  webauthnChallenge: "challenge",
}

const keys = Object.keys(defaults) as CookieKey[]

export function nameOf(key: CookieKey, { cookies, origin, useSecureCookies }: Plan): string {
  const isSecure = useSecureCookies ?? origin.startsWith("https:")
  const prefix = key === "csrfToken" ? "__Host-" : "__Secure-"
  return cookies?.[key]?.name ?? (isSecure ? prefix : "") + defaults[key]
}

/** Parts of a long cookie and the cookies of single sign-ins have a suffix after the name. */
export function roleOf(name: string, plan: Plan): CookieRole | undefined {
  const key = keys.find((each) => isNamed(name, nameOf(each, plan)))
  if (key !== undefined) return roles[key]
  // The cookie of a sign-in has the default name if the provider makes no check whose cookie has another.
  if (isNamed(name, nameOf("state", { ...plan, cookies: {} })) || isNamed(name, "__Host-authjs.state")) return "state"
  return isNamed(name, "__Host-authjs.nonce") ? "nonce" : undefined
}

function isNamed(name: string, base: string): boolean {
  return name === base || name.startsWith(`${base}.`)
}

/** What the `Set-Cookie` lines of a response do to the cookies of one role. */
export interface CookieEffect {
  readonly effect: "set" | "cleared"
  readonly attributes: Readonly<Record<string, string>>
}

export function effectsOf(lines: readonly string[], plan: Plan): Readonly<Record<string, CookieEffect>> {
  const effects: Record<string, CookieEffect> = {}
  for (const line of lines) {
    const name = line.slice(0, line.indexOf("="))
    const role = roleOf(name, plan) ?? withoutRandom(name)
    const effect = effectOf(line)
    if (effects[role]?.effect !== "set" || effect.effect === "set") effects[role] = effect
  }
  return effects
}

function effectOf(line: string): CookieEffect {
  const [pair = "", ...rest] = line.split(";").map((part) => part.trim())
  const attributes = Object.fromEntries(rest.map(attributeOf))
  const isCleared = pair.endsWith("=") || attributes["lifetime"] === "over"
  if (isCleared) Reflect.deleteProperty(attributes, "lifetime")
  return { effect: isCleared ? "cleared" : "set", attributes }
}

function attributeOf(text: string): [name: string, value: string] {
  const [name = "", value = ""] = text.toLowerCase().split("=")
  if (name === "max-age") return ["lifetime", value === "0" ? "over" : `now+${value}s`]
  if (name !== "expires") return [name, value]
  const date = new Date(text.slice(text.indexOf("=") + 1))
  return ["lifetime", date.getTime() <= Date.now() ? "over" : relative(date)]
}

/** What a browser holds, by role: the content of the session, the callback URL, and which others are there. */
export async function heldBy(jar: CookieJar, plan: Plan, secrets: readonly string[]) {
  const held: Record<string, unknown> = {}
  for (const key of ["sessionToken", "callbackUrl"] as const) {
    const found = jar.cookies.filter(({ name }) => roleOf(name, plan) === roles[key])
    const content = found.length > 0 ? await contentOf(key, found, plan, secrets) : undefined
    // The origin is what a sign-in without a callback URL leads to.
    if (content !== undefined && content !== plan.origin) held[roles[key]] = content
  }
  return held
}

async function contentOf(key: CookieKey, found: readonly JarCookie[], plan: Plan, secrets: readonly string[]) {
  const whole = found
    .toSorted((a, b) => suffixOf(a) - suffixOf(b))
    .map(({ value }) => value)
    .join("")
  if (key === "callbackUrl") return decodeURIComponent(whole)
  return await sessionIn(whole, nameOf(key, plan), secrets)
}

function suffixOf({ name }: JarCookie): number {
  return Number(/\.(\d+)$/.exec(name)?.[1] ?? 0)
}

async function sessionIn(token: string, salt: string, secrets: readonly string[]): Promise<unknown> {
  // The token of a session in the database, also if the scenario changed a character.
  if (/^[\w-]{30,}$/.test(token)) return "<random>"
  if (token.split(".").length !== 5) return normalize(token)
  try {
    const claims = await decode({ token, secret: [...secrets], salt })
    const { exp: _, ...rest } = claims ?? {}
    return normalize(rest)
  } catch {
    return "unreadable"
  }
}
