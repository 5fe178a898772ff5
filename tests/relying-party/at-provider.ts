import { type AuthorizationAnswer, createJar } from "@latchkey/testing"
import { formsOf } from "../../packages/testing/src/browser/forms.js"

/** A page of a provider that a user sees. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** What a user sends from a page. */
export interface Doing {
  readonly method?: "POST" | "PUT"
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** The browser at the provider: real HTTP with its own cookies, redirects and self-submitting forms. */
export interface AtProvider {
  /** Follows redirects until a page waits for the user, or leads back to the app. */
  open(address: string | URL, doing?: Doing): Promise<Page | AuthorizationAnswer>
}

const maxSteps = 10

/** @param home the origin of the app */
export function openAtProvider(home: string): AtProvider {
  const jar = createJar(() => Date.now())
  const ask = async (url: URL, { method = "GET", ...doing }: Omit<Doing, "method"> & { method?: string }) => {
    const use = { url, method, sameSite: true, navigation: true }
    const headers = { cookie: jar.header(use) ?? "", ...typeOf(doing) }
    const response = await fetch(url, { method, headers, redirect: "manual", ...bodyOf(doing) })
    jar.store(response.headers.getSetCookie(), use)
    return response
  }
  return {
    async open(address, doing = {}) {
      let url = new URL(address)
      let next: Doing = doing
      for (let step = 0; step < maxSteps; step += 1) {
        const response = await ask(url, next)
        const text = await response.text()
        const location = response.headers.get("location")
        if (location === null) return homeward(text, home) ?? { url, status: response.status, text }
        url = new URL(location, url)
        next = {}
        if (url.origin === home) return { method: "GET", location: url.href }
      }
      throw new Error(`The provider redirects more than ${maxSteps} times, most recently to ${url.href}`)
    },
  }
}

function homeward(text: string, home: string): AuthorizationAnswer | undefined {
  const form = formsOf(text)[0]
  if (form === undefined || !form.auto || !form.action.startsWith(`${home}/`)) return undefined
  return { method: "POST", action: form.action, fields: form.fields }
}

function typeOf({ form, json }: Doing): Record<string, string> {
  if (form !== undefined) return { "content-type": "application/x-www-form-urlencoded" }
  return json === undefined ? {} : { "content-type": "application/json" }
}

function bodyOf({ form, json }: Doing): { readonly body?: string } {
  if (form !== undefined) return { body: new URLSearchParams(form).toString() }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

/** @throws Error if the provider shows a page instead of redirecting */
export function answerOf(arrival: Page | AuthorizationAnswer): AuthorizationAnswer {
  if ("method" in arrival) return arrival
  throw new Error(`The provider stayed at ${arrival.url.href} with status ${arrival.status}: ${arrival.text}`)
}
