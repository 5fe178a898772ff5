import { sha256, toHex } from "@latchkey/core/module"
import type { Context } from "./context.js"
import type { Guest } from "./records.js"

const cookie = "browser"

/** Seconds. Browsers keep no cookie longer than 400 days. */
const lasts = 400 * 86_400

/** Names the browser in which an anonymous user is created, and returns the hash to store. */
export async function nameBrowser({ random, setCookie }: Context): Promise<string> {
  const name = toHex(random(32))
  setCookie(cookie, name, lasts)
  return sha256(name)
}

/**
 * Whether the anonymous user was created in this browser. Someone who can only plant a session cookie, as on a sibling subdomain, can't
 * plant this one: over https, its prefix is `__Host-`.
 */
export async function isOfBrowser({ cookie: read }: Pick<Context, "cookie">, { browser }: Guest): Promise<boolean> {
  const name = read(cookie)
  return name !== undefined && (await sha256(name)) === browser
}

export function forgetBrowser({ cookie: read, setCookie }: Context): void {
  if (read(cookie) !== undefined) setCookie(cookie, null)
}
