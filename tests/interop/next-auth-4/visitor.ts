import { type IncomingHttpHeaders, request } from "node:http"
import type { FakeProvider } from "@latchkey/testing"
import { normalize, relative, withoutRandom } from "../differential/normalize.js"
import type { Recorder } from "../differential/recorder.js"
import type { Plan, Step } from "./plan.js"
import type { Site } from "./server.js"

type Anything = ReturnType<typeof JSON.parse>

/** What users and the application can notice of one request. */
export interface Observation {
  readonly request: string
  readonly status: number
  readonly location: string | undefined
  readonly body: unknown
  readonly cookies: Readonly<Record<string, unknown>>
  readonly calls: unknown
}

export interface Visitor {
  readonly jar: Map<string, string>
  perform(step: Step): Promise<readonly Observation[]>
  get(path: string): Promise<Sent>
  /** Posts a form with a CSRF token to a route. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Sent>
}

interface Parts {
  readonly plan: Plan
  readonly site: Site
  readonly op: FakeProvider
  readonly recorder: Recorder
  readonly jar?: Map<string, string>
}

export interface Sent extends Observation {
  readonly text: string
  readonly target: string | undefined
}

const base = "/api/auth"

/** A browser at one of the two libraries. The name of the site leads to its server. */
export function createVisitor({ plan, site, op, recorder, jar = new Map() }: Parts): Visitor {
  const { origin } = plan

  async function send(method: string, path: string, body?: Body): Promise<Sent> {
    const mode = body?.fields.json === undefined ? "navigate" : "cors"
    const headers = { ...headersFor(plan, jar), ...(method === "POST" && { origin, "sec-fetch-mode": mode }) }
    const { status, text, ...answer } = await ask(site.url + path, method, { headers, body })
    const cookies = keep(jar, answer.headers["set-cookie"] ?? [])
    const parsed = bodyOf(answer.headers["content-type"] ?? "", text)
    const inBody: string | undefined = (parsed as Anything)?.url
    const target = answer.headers["location"] ?? inBody
    return {
      request: `${method} ${withoutRandom(path)}`,
      status,
      location: target === undefined ? undefined : withoutRandom(sorted(target, origin)),
      body: inBody === undefined ? normalize(parsed) : "the location as JSON",
      cookies,
      calls: recorder.take(),
      text,
      target,
    }
  }

  const csrfFields = async (kind: "valid" | "missing" | "wrong") => {
    if (kind === "missing") return {}
    if (kind === "wrong") return { csrfToken: "0".repeat(64) }
    const { csrfToken } = JSON.parse((await send("GET", `${base}/csrf`)).text)
    recorder.take()
    return { csrfToken }
  }

  const post = async (path: string, { csrf = "valid", json = false, type = "form", fields = {} }: Anything) =>
    send("POST", base + path, {
      type,
      fields: { ...(await csrfFields(csrf)), ...fields, ...(json && { json: "true" }) },
    })

  async function oauth(step: Extract<Step, { do: "oauth" }>): Promise<readonly Sent[]> {
    const { json, callbackUrl, outcome } = step
    const started = await post("/signin/op", { json, fields: callbackUrl === undefined ? {} : { callbackUrl } })
    if (started.target?.startsWith(op.issuer) !== true) return [started]
    const consent = outcome === "declined" ? { deny: true } : { as: "ada" }
    const answer: Anything = await op.authorize(started.target, consent as Anything)
    const url = new URL(answer.location)
    if (outcome === "other state") url.searchParams.set("state", "x".repeat(43))
    if (outcome === "no cookie") for (const name of jar.keys()) if (/state|pkce|nonce/.test(name)) jar.delete(name)
    const first = await send("GET", url.pathname + url.search)
    const again = outcome === "twice" ? [await send("GET", url.pathname + url.search)] : []
    return [started, first, ...again]
  }

  async function email({ email, json, open }: Extract<Step, { do: "email" }>): Promise<readonly Sent[]> {
    const asked = await post("/signin/email", { json, fields: { email } })
    const link = recorder.links.at(-1)
    if (link === undefined || open === "never") return [asked]
    const url = new URL(link)
    if (open === "changed") url.searchParams.set("token", "0".repeat(64))
    const first = await send("GET", url.pathname + url.search)
    const again = open === "twice" ? [await send("GET", url.pathname + url.search)] : []
    return [asked, first, ...again]
  }

  return {
    jar,
    get: async (path) => send("GET", path),
    post: async (path, fields) => post(path, { fields }),
    async perform(step) {
      switch (step.do) {
        case "get":
          return [await send("GET", base + step.path)]
        case "post":
          return [await post(step.path, step)]
        case "oauth":
          return oauth(step)
        case "email":
          return email(step)
        case "update":
          return [await post("/session", { type: "json", fields: { data: step.data } })]
        case "server":
          return [await send("GET", "/server")]
        case "token":
          return [await send("GET", "/token")]
      }
    },
  }
}

interface Body {
  readonly type: "form" | "json"
  readonly fields: Anything
}

function headersFor({ trustsHost, origin }: Plan, jar: ReadonlyMap<string, string>): Record<string, string> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  return {
    accept: "text/html,application/json",
    ...(cookie !== "" && { cookie }),
    ...(trustsHost && { "x-forwarded-host": "app.test", "x-forwarded-proto": origin.split(":")[0] ?? "" }),
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Without the other headers that `fetch` adds. */
async function ask(
  url: string,
  method: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Body | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = body && { "content-type": types[body.type] }
    const sent = request(url, { method, headers: { ...headers, ...type }, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on("error", reject)
    sent.end(body && textOf(body))
  })
}

function textOf({ type, fields }: Body): string {
  return type === "json" ? JSON.stringify(fields) : String(new URLSearchParams(fields))
}

const types = { form: "application/x-www-form-urlencoded", json: "application/json" } as const

/** A path means the same as a URL of the site. */
function sorted(target: string, origin: string): string {
  if (!URL.canParse(target, origin)) return target
  const url = new URL(target, origin)
  url.searchParams.sort()
  return url.href
}

function bodyOf(type: string, text: string): unknown {
  if (type.includes("html") || text.startsWith("<!DOCTYPE")) return "<page>"
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Keeps the cookies, and returns what happened to each. */
function keep(jar: Map<string, string>, lines: readonly string[]): Readonly<Record<string, unknown>> {
  const effects: Record<string, unknown> = {}
  for (const line of lines) {
    const [pair, ...rest] = line.split("; ")
    const [name, value] = halves(pair)
    const { expires, "max-age": maxAge, ...plain } = Object.fromEntries(rest.map(attributeOf))
    const end = expires === undefined ? undefined : new Date(expires)
    const isOver = value === "" || maxAge === "0" || (end !== undefined && end.getTime() <= Date.now())
    if (isOver) jar.delete(name)
    else jar.set(name, value)
    effects[name] = isOver ? "cleared" : { ...plain, lifetime: maxAge ?? (end ? relative(end) : "session") }
  }
  return effects
}

function halves(pair = ""): readonly [name: string, value: string] {
  const at = pair.indexOf("=")
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function attributeOf(text: string): readonly [name: string, value: string] {
  const [name = "", value = "true"] = text.split("=")
  return [name.toLowerCase(), value]
}
