import { createJar, type CookieJar } from "@latchkey/testing"
import type { Engine } from "./engines.js"

/** A browser of one user, at one of the two libraries. */
export interface Browser {
  readonly jar: CookieJar
  /** The authorization URL that a sign-in led to. */
  authorization?: string
  /** The callback to which a callback was redirected. */
  resume?: string | undefined
  /** The last callback, to send it again. */
  callback?: { readonly url: string; readonly fields?: Readonly<Record<string, string>> }
  /** The fields of the last passkey, to send them again. */
  passkey?: Readonly<Record<string, string>>
}

export function createBrowser(): Browser {
  return { jar: createJar(() => Date.now()) }
}

export interface Sending {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** A client that isn't a browser sends no `Origin` and no fetch metadata. */
  readonly bare?: boolean | undefined
  /** Whether the request comes from another site, such as the provider. */
  readonly crossSite?: boolean
}

/** Sends a request with the cookies of the browser, and stores those of the response. */
export async function send(
  { jar }: Browser,
  { handle }: Pick<Engine, "handle">,
  { method, url, headers = {}, body, bare = false, crossSite = false }: Sending,
): Promise<{ readonly request: Request; readonly response: Response; readonly text: string }> {
  const use = { url: new URL(url), method, sameSite: !crossSite, navigation: true }
  const cookie = jar.header(use)
  const origin = crossSite ? "https://op.test" : use.url.origin
  const metadata = {
    "sec-fetch-site": crossSite ? "cross-site" : "same-origin",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  }
  const ofBrowser = bare ? {} : { ...metadata, ...(method === "POST" ? { origin } : {}) }
  const all = { ...ofBrowser, ...headers, ...(cookie === "" ? {} : { cookie }) }
  const request = new Request(url, { method, headers: all, ...(body === undefined ? {} : { body }) })
  const response = await handle(request.clone())
  const text = await response.text()
  jar.store(response.headers.getSetCookie(), use)
  return { request, response, text }
}
