import type { Answer, AuthClientOptions, ClientFetchError } from "./model.js"
import { fieldOf } from "./result.js"
import { httpUrl, isSamePage } from "./target.js"

/** The way to the server. Nothing here throws. */
export interface Wire {
  /** Where the server answers, without a trailing slash. */
  base(): string
  /** The address of the page. */
  here(): string
  send(path: string, init?: RequestInit): Promise<Answer>
  /** Asks for what all want to know; those who ask at once share one request. */
  ask(path: "csrf" | "providers"): Promise<Answer>
  /** Posts a form; `csrf` is the answer that brought its token. */
  post(path: string, fields: Readonly<Record<string, unknown>>, csrf?: Promise<Answer>): Promise<Answer>
  go(address: string | URL): void
}

/** This is a page, and not a server that renders one. */
export function inBrowser(): boolean {
  return typeof document !== "undefined"
}

export function openWire<S>(options: AuthClientOptions<S>): Wire {
  const asked = new Map<string, Promise<Answer>>()
  const base = () => trimmed(options.baseUrl) + trimmed(options.basePath ?? "/auth")
  const here = () => (inBrowser() ? location.href : base())

  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const url = `${base()}/${path}`
    // Only pages have cookies to add; some servers' `fetch` refuses the word.
    const cookies: RequestInit = inBrowser() && options.baseUrl !== undefined ? { credentials: "include" } : {}
    let answer: Answer = { ok: false, status: 0, body: undefined }
    try {
      const response = await (options.fetch ?? fetch)(url, { ...cookies, ...init })
      answer = { ...answer, status: response.status }
      answer = { ...answer, body: await response.json(), ok: response.ok }
    } catch {
      // What is missing of the answer tells.
    }
    if (!answer.ok && !init.signal?.aborted) (options.onError ?? log)(failure(url, answer.status))
    return answer
  }

  function ask(path: "csrf" | "providers"): Promise<Answer> {
    const key = base() + path
    const answer = asked.get(key) ?? send(path)
    asked.set(key, answer)
    // Providers do not change while a page lives; tokens do, and a server renders for many.
    const forget = ({ ok }: Answer) => (ok && path === "providers" && inBrowser()) || asked.delete(key)
    void answer.then(forget)
    return answer
  }

  return {
    base,
    here,
    send,
    ask,
    async post(path, fields, csrf = ask("csrf")) {
      const token = await csrf
      // 404: the server has another way to know its pages (`skipCSRFCheck`).
      if (!token.ok && token.status !== 404) return token
      const body = formOf({ ...fields, csrfToken: tokenOf(token) })
      return send(path, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } })
    },
    go(address) {
      const url = httpUrl(address, here())?.href
      if (url === undefined) return
      if (options.navigate) return options.navigate(url)
      const from = here()
      location.href = url
      if (isSamePage(from, url)) location.reload()
    },
  }
}

export function tokenOf({ body }: Answer): string {
  const token = fieldOf(body, "csrfToken")
  return typeof token === "string" ? token : ""
}

export function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.set(name, typeof value === "string" ? value : JSON.stringify(value))
  return form
}

function trimmed(text = ""): string {
  return text.replace(/\/+$/, "")
}

function failure(url: string, status: number): ClientFetchError {
  const what = status === 0 ? "no answer" : `no usable answer (status ${status})`
  const error = new Error(`${url} gave ${what}: look whether the server runs there, and into its log`)
  return Object.assign(error, { name: "ClientFetchError" } as const)
}

function log(error: Error): void {
  console.error(`[auth][error] ${error.name}: ${error.message}`)
}
