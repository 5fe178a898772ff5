import type { Answer, AuthClientOptions, ClientFetchError } from "./model.js"
import { fieldOf } from "./result.js"
import { httpUrl, isSamePage } from "./urls.js"

/** Requests and navigation. Its methods don't throw. */
export interface Transport {
  /** URL of the auth routes, without a trailing slash. */
  baseUrl(): string
  /** URL of the current page. */
  pageUrl(): string
  send(path: string, init?: RequestInit): Promise<Answer>
  /** Gets a shared resource. Parallel calls share one request. */
  get(path: "csrf" | "providers"): Promise<Answer>
  /** Posts a form with a CSRF token. Pass `csrf` if the token was already requested. */
  post(path: string, fields: Readonly<Record<string, unknown>>, csrf?: Promise<Answer>): Promise<Answer>
  navigate(url: string | URL): void
}

export function isBrowser(): boolean {
  return typeof document !== "undefined"
}

export function createTransport<S>(options: AuthClientOptions<S>): Transport {
  const shared = new Map<string, Promise<Answer>>()
  const baseUrl = () => withoutTrailingSlash(options.baseUrl) + withoutTrailingSlash(options.basePath ?? "/auth")
  const pageUrl = () => (isBrowser() ? location.href : baseUrl())

  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const url = `${baseUrl()}/${path}`
    // Only in a browser: Cloudflare Workers reject `credentials`.
    const credentials: RequestInit = isBrowser() && options.baseUrl !== undefined ? { credentials: "include" } : {}
    let answer: Answer = { ok: false, status: 0, body: undefined }
    try {
      const response = await (options.fetch ?? fetch)(url, { ...credentials, ...init })
      answer = { ...answer, status: response.status }
      answer = { ...answer, body: await response.json(), ok: response.ok }
    } catch {
      // `answer` has what arrived before the failure.
    }
    if (!isExpected(answer, path) && !init.signal?.aborted) (options.onError ?? log)(fetchError(url, answer.status))
    return answer
  }

  function get(path: "csrf" | "providers"): Promise<Answer> {
    const key = baseUrl() + path
    const answer = shared.get(key) ?? send(path)
    shared.set(key, answer)
    // Providers stay the same while a page is open. CSRF tokens change, and a server renders pages for many tenants.
    const isCacheable = ({ ok }: Answer) => ok && path === "providers" && isBrowser()
    void answer.then((answer) => isCacheable(answer) || shared.delete(key))
    return answer
  }

  return {
    baseUrl,
    pageUrl,
    send,
    get,
    async post(path, fields, csrf = get("csrf")) {
      const token = await csrf
      if (!isExpected(token, "csrf")) return token
      const body = formBody({ ...fields, csrfToken: csrfTokenIn(token) })
      return send(path, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } })
    },
    navigate(target) {
      const url = httpUrl(target, pageUrl())?.href
      if (url === undefined) return
      if (options.navigate) return options.navigate(url)
      const from = pageUrl()
      location.href = url
      if (isSamePage(from, url)) location.reload()
    },
  }
}

/** 404 for a token: the server uses `skipCSRFCheck` and has none. A step of a flow can be a refusal, or repeat a factor. */
function isExpected({ ok, status, body }: Answer, path: string): boolean {
  // next-auth 4 refuses a form with status 401 or 403, and says where to go.
  return (
    ok ||
    fieldOf(body, "url") !== undefined ||
    (path === "csrf" && status === 404) ||
    ["error", "factor"].includes(String(fieldOf(body, "status")))
  )
}

export function csrfTokenIn({ body }: Answer): string {
  const token = fieldOf(body, "csrfToken")
  return typeof token === "string" ? token : ""
}

export function formBody(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.set(name, typeof value === "string" ? value : JSON.stringify(value))
  return form
}

function withoutTrailingSlash(text = ""): string {
  return text.replace(/\/+$/, "")
}

function fetchError(url: string, status: number): ClientFetchError {
  const problem =
    status === 0
      ? "failed: the server didn't respond. Check that it's running."
      : `failed: unexpected response with status ${status}. Check the server log.`
  return Object.assign(new Error(`${url} ${problem}`), { name: "ClientFetchError" } as const)
}

function log(error: Error): void {
  console.error(`[auth][error] ${error.name}: ${error.message}`)
}
