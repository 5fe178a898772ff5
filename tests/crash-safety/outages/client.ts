import { emailOf } from "./names.js"
import type { Fleet } from "./fleet.js"
import type { Entry, Ledger, Moment } from "./ledger.js"

interface Answer {
  readonly status: number
  readonly location: string
  readonly body: string
  readonly from: Moment
  readonly to: Moment
}

type Cookies = Map<string, string>

export const sessionCookie = "authjs.session-token"

/** A request that failed, because a process or a server was down. */
class Failed extends Error {}

/** What users do, over HTTP. A method returns undefined if it failed, and reports that to the ledger. */
export class Client {
  readonly #fleet: Fleet
  readonly #ledger: Ledger

  constructor(fleet: Fleet, ledger: Ledger) {
    this.#fleet = fleet
    this.#ledger = ledger
  }

  /** Signs in with the provider. */
  async signIn(process: number, user: string): Promise<Entry | undefined> {
    return this.#reporting(async () => {
      const cookies: Cookies = new Map()
      const csrfToken = await this.#csrf(process, cookies)
      const sent = await this.#post(process, "/auth/signin/op", cookies, { csrfToken })
      const state = stateIn(sent.location)
      if (state === undefined) throw this.#failure(process, sent, `sign-in: ${sent.status} ${sent.location}`)
      const back = await this.#request(
        process,
        `/auth/callback/op?code=${user}&state=${encodeURIComponent(state)}`,
        cookies,
      )
      const token = cookies.get(sessionCookie)
      if (token === undefined || hasError(back))
        throw this.#failure(process, back, `callback: ${back.status} ${back.location}`)
      return this.#ledger.signedIn(emailOf(user), token)
    })
  }

  /** Reads the session. */
  async read(process: number, entry: Entry): Promise<string | null | undefined> {
    return this.#reporting(async () => {
      const answer = await this.#request(process, "/me", new Map([[sessionCookie, entry.token]]))
      if (answer.status !== 200 && answer.status !== 401) throw this.#failure(process, answer, `read: ${answer.status}`)
      const email = answer.status === 200 ? answer.body : null
      this.#ledger.read(entry, { ...answer, email })
      return email
    })
  }

  async signOut(process: number, entry: Entry): Promise<true | undefined> {
    return this.#reporting(async () => {
      const cookies: Cookies = new Map([[sessionCookie, entry.token]])
      const csrfToken = await this.#csrf(process, cookies)
      entry.ending ??= this.#ledger.now()
      const answer = await this.#post(process, "/auth/signout", cookies, { csrfToken })
      if (answer.status >= 400 || hasError(answer))
        throw this.#failure(process, answer, `sign-out: ${answer.status} ${answer.location}`)
      this.#ledger.signedOut(entry)
      return true as const
    })
  }

  async #reporting<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Failed) return undefined
      throw error
    }
  }

  #failure(process: number, { from, to }: Pick<Answer, "from" | "to">, what: string): Failed {
    this.#ledger.failed({ process, from, to, what })
    return new Failed(what)
  }

  async #csrf(process: number, cookies: Cookies): Promise<string> {
    const answer = await this.#request(process, "/auth/csrf", cookies)
    if (answer.status !== 200) throw this.#failure(process, answer, `csrf: ${answer.status}`)
    // The engine itself wrote this JSON.
    return (JSON.parse(answer.body) as { csrfToken: string }).csrfToken
  }

  #post(process: number, path: string, cookies: Cookies, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#request(process, path, cookies, { method: "POST", body: new URLSearchParams(fields) })
  }

  async #request(process: number, path: string, cookies: Cookies, init: RequestInit = {}): Promise<Answer> {
    const from = this.#ledger.now()
    const failed = (what: string) => this.#failure(process, { from, to: this.#ledger.now() }, what)
    const port = this.#fleet.portOf(process)
    if (port === undefined) throw failed("the process doesn't run")
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      origin: "http://app.test",
    }
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers, redirect: "manual" })
      const body = await response.text()
      for (const line of response.headers.getSetCookie()) store(cookies, line)
      return {
        status: response.status,
        location: response.headers.get("location") ?? "",
        body,
        from,
        to: this.#ledger.now(),
      }
    } catch (error) {
      throw failed(`no response: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#ledger.progress()
    }
  }
}

function store(cookies: Cookies, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (value === "" || /max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

function stateIn(location: string): string | undefined {
  return URL.canParse(location) ? (new URL(location).searchParams.get("state") ?? undefined) : undefined
}

function hasError({ location }: Answer): boolean {
  return URL.canParse(location, "http://app.test") && new URL(location, "http://app.test").searchParams.has("error")
}
