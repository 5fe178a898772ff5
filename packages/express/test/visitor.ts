import { type Answer, type Ask, ask } from "./served.js"

/** A client with cookies, for one mount path of the middleware. */
export interface Visitor {
  readonly cookies: ReadonlyMap<string, string>
  ask(path: string, init?: Ask): Promise<Answer>
  /** Posts a form with the CSRF token. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  signIn(name: string): Promise<Answer>
  /** Returns the response of the session route. */
  session(): Promise<unknown>
}

/** @param base the origin and the mount path */
export function visit(base: string, always: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  const visitor: Visitor = {
    cookies,
    async ask(path, init = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const headers = { ...always, ...(cookie === "" ? {} : { cookie }), ...init.headers }
      const answer = await ask(base + path, { ...init, headers })
      for (const line of answer.headers["set-cookie"] ?? []) keep(cookies, line)
      return answer
    },
    async post(path, fields = {}, headers = {}) {
      const { csrfToken } = JSON.parse((await visitor.ask("/csrf")).body)
      const body = new URLSearchParams({ csrfToken, ...fields }).toString()
      return await visitor.ask(path, {
        method: "POST",
        body,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      })
    },
    signIn: (name) => visitor.post("/callback/credentials", { name }),
    session: async () => JSON.parse((await visitor.ask("/session")).body),
  }
  return visitor
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (value === "" || /max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}
