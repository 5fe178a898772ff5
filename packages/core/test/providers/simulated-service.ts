import type { AuthorizationAnswer } from "@latchkey/testing"
import type { Facts } from "./facts.js"
import { authorize } from "./simulated-service/authorization.js"
import type { Context, Grant, Quirk, Received, Reply } from "./simulated-service/context.js"
import { discoveryDocument, keySet } from "./simulated-service/documents.js"
import { type Endpoints, endpointsOf } from "./simulated-service/endpoints.js"
import { quirks } from "./simulated-service/quirks.js"
import { exchangeCode, refusal } from "./simulated-service/token.js"
import { readMore, readProfile } from "./simulated-service/userinfo.js"

/** What goes wrong at the service. */
export interface Failure {
  /** The service refuses the code. */
  readonly refused?: boolean
  /** The response of the userinfo endpoint. */
  readonly userinfo?: Reply
  /** Receives the mismatches, for a sign-in that may throw. */
  readonly mismatches?: string[]
}

/** A service that behaves as its facts and quirks say, and checks every request against them. */
export interface SimulatedService {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Every difference between a request and the facts. */
  readonly mismatches: readonly string[]
  /** The endpoints that were called, without the discovery document and the key set. */
  readonly calls: readonly string[]
  /** The quirks that made a difference. */
  readonly quirksPlayed: ReadonlySet<string>
  /** The user agrees: turns the authorization request into the callback. */
  consent(url: string): { readonly answer: AuthorizationAnswer; readonly from: string }
}

type Endpoint = (request: Received, grants: Map<string, Grant>) => Promise<Reply>
type Route = readonly [url: string, endpoint: Endpoint]

export function simulateService(facts: Facts, now: () => number, failure: Failure = {}): SimulatedService {
  const mismatches = failure.mismatches ?? []
  const calls: string[] = []
  const quirksPlayed = new Set<string>()
  const grants = new Map<string, Grant>()
  const endpoints = endpointsOf(facts)
  const mismatch = (text: string) => mismatches.push(text)
  const context: Context = { facts, endpoints, now, mismatch, quirks: observedQuirks(facts, quirksPlayed) }
  const routes = routesOf(context, failure, (name) => calls.push(name))
  return {
    mismatches,
    calls,
    quirksPlayed,
    fetch: async (input, init) => {
      const request = await receive(input, init)
      const endpoint = routes.find(([url]) => url === withoutQuery(request.url))?.[1]
      if (endpoint === undefined) context.mismatch(`unexpected: ${request.method} ${request.url.href}`)
      return toResponse((await endpoint?.(request, grants)) ?? { status: 404, headers: {}, body: "" }, facts)
    },
    consent: (url) => {
      const { grant, answer } = authorize(context, new URL(url))
      grants.set(grant.code, grant)
      return { answer, from: endpoints.authorization.origin }
    },
  }
}

/** These accept something more without changing anything. */
const tolerances: ReadonlySet<string> = new Set(["expects", "carries"])

/** The quirks of this service. `played` collects the ones that make a difference. */
function observedQuirks({ quirks: names }: Facts, played: Set<string>): readonly Quirk[] {
  return Object.entries(quirks)
    .filter(([name]) => names.includes(name))
    .map(([name, quirk]) => {
      const hooks = Object.entries(quirk).map(([hook, run]: [string, (...input: never[]) => unknown]) => [
        hook,
        (...input: never[]) => {
          const result = run(...input)
          if (tolerances.has(hook) || JSON.stringify(result) !== JSON.stringify(input[0])) played.add(name)
          return result
        },
      ])
      // The same hooks under the same names.
      return Object.fromEntries(hooks) as Quirk
    })
}

function routesOf(context: Context, failure: Failure, note: (name: string) => void): readonly Route[] {
  const { facts, endpoints } = context
  const furtherCalls = (facts.userinfo?.then ?? []).map((call, index): Route => {
    const endpoint: Endpoint = async (request, grants) => {
      note(`call ${index + 1}`)
      return readMore(context, call, request, grants)
    }
    return [withoutQuery(new URL(call.url)), endpoint]
  })
  const token: Endpoint = async (request, grants) => {
    note("token")
    const reply = await exchangeCode(context, request, grants)
    return failure.refused === true ? refusal(context) : reply
  }
  const userinfo: Endpoint = async (request, grants) => {
    note("userinfo")
    const reply = await readProfile(context, request, grants)
    return failure.userinfo ?? reply
  }
  return [
    ...documentRoutes(context, endpoints),
    [withoutQuery(endpoints.token), token],
    ...furtherCalls,
    ...(endpoints.userinfo === undefined ? [] : [[withToken(endpoints.userinfo, context), userinfo] as const]),
  ]
}

function documentRoutes(context: Context, { jwks }: Endpoints): readonly Route[] {
  const { discovery } = context.facts
  if (discovery === undefined) return []
  return [
    [withoutQuery(new URL(discovery.at)), async (request) => discoveryDocument(context, request)],
    [withoutQuery(jwks), async () => keySet(context)],
  ]
}

/** The access token may be part of the path. There is one user, and so one token. */
function withToken(url: URL, { now }: Context): string {
  return withoutQuery(url).replace("%7Btoken%7D", `access-${now()}`)
}

function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname
}

async function receive(input: string | URL | Request, init: RequestInit | undefined): Promise<Received> {
  const request = new Request(input, init)
  return { method: request.method, url: new URL(request.url), headers: request.headers, text: await request.text() }
}

function toResponse({ status, headers, body }: Reply, { contentType = "application/json" }: Facts): Response {
  const raw = typeof body === "string" || body instanceof ArrayBuffer ? body : JSON.stringify(body)
  return new Response(raw, { status, headers: { "content-type": contentType, ...headers } })
}
