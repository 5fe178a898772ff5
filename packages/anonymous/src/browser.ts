import type { Context } from "./context.js"
import type { Guest } from "./records.js"

const cookie = "browser"

/** Seconds. Browsers keep no cookie longer than 400 days. */
const lasts = 400 * 86_400

/** Names the browser in which an anonymous user is created, and returns the hash to store. */
export async function nameBrowser({ random, setCookie }: Context): Promise<string> {
  const name = Array.from(random(32), (byte) => byte.toString(16).padStart(2, "0")).join("")
  setCookie(cookie, name, lasts)
  return hashOf(name)
}

/**
 * Whether the anonymous user was created in this browser. Someone who can only plant a session cookie, as on a sibling subdomain, can't
 * plant this one: over https, its prefix is `__Host-`.
 */
export async function isOfBrowser({ cookie: read }: Pick<Context, "cookie">, { browser }: Guest): Promise<boolean> {
  const name = read(cookie)
  return name !== undefined && (await hashOf(name)) === browser
}

export function forgetBrowser({ cookie: read, setCookie }: Context): void {
  if (read(cookie) !== undefined) setCookie(cookie, null)
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
