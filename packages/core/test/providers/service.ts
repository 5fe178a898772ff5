import type { AuthorizationAnswer } from "@latchkey/testing"
import type { Facts } from "./facts.js"
import { authorize } from "./service/authorize.js"
import type { Desk, Grant, Quirk, Seen, Wire } from "./service/desk.js"
import { discoveryDocument, keySet } from "./service/openid.js"
import { type Places, placesOf } from "./service/places.js"
import { exchange, refuse } from "./service/token.js"
import { readProfile, readMore } from "./service/userinfo.js"
import { quirks } from "./quirks.js"

/** What goes wrong at the service. */
export interface Trouble {
  /** The code is not good, in this service's words. */
  readonly refused?: boolean
  /** What the userinfo endpoint answers instead. */
  readonly userinfo?: Wire
  /** Whoever wants to hear complaints even if the sign-in comes to nothing. */
  readonly overheard?: string[]
}

/** A service that behaves as its facts and quirks say and takes nothing else. */
export interface Service {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Whatever was wrong with a request. */
  readonly complaints: readonly string[]
  /** What was asked for, published documents aside. */
  readonly asked: readonly string[]
  /** The quirks that made a difference. */
  readonly played: ReadonlySet<string>
  /** The person agrees: from the authorization request to the way back. */
  consent(address: string): { readonly answer: AuthorizationAnswer; readonly from: string }
}

type Route = (seen: Seen, grants: Map<string, Grant>) => Promise<Wire>

export function openService(facts: Facts, now: () => number, trouble: Trouble = {}): Service {
  const complaints = trouble.overheard ?? []
  const asked: string[] = []
  const played = new Set<string>()
  const grants = new Map<string, Grant>()
  const places = placesOf(facts)
  const desk: Desk = { facts, places, now, complain: (text) => complaints.push(text), quirks: watched(facts, played) }
  const routes = routesOf(desk, trouble, (name) => asked.push(name))
  return {
    complaints,
    asked,
    played,
    fetch: async (input, init) => {
      const seen = await look(input, init)
      const route = routes.find(([address]) => address === placeOf(seen.url))?.[1]
      if (route === undefined) desk.complain(`unexpected: ${seen.method} ${seen.url.href}`)
      return toResponse((await route?.(seen, grants)) ?? { status: 404, headers: {}, body: "" }, facts)
    },
    consent: (address) => {
      const { grant, answer } = authorize(desk, new URL(address))
      grants.set(grant.code, grant)
      return { answer, from: places.authorization.origin }
    },
  }
}

/** What changes nothing, but takes something else as well. */
const tolerances: ReadonlySet<string> = new Set(["expects", "carries"])

/** The quirks of this service, noting those that make a difference. */
function watched({ quirks: classes }: Facts, played: Set<string>): readonly Quirk[] {
  return Object.entries(quirks)
    .filter(([name]) => classes.includes(name))
    .map(([name, quirk]) => {
      const hooks = Object.entries(quirk).map(([hook, work]: [string, (...input: never[]) => unknown]) => [
        hook,
        (...input: never[]) => {
          const result = work(...input)
          if (tolerances.has(hook) || JSON.stringify(result) !== JSON.stringify(input[0])) played.add(name)
          return result
        },
      ])
      // The same hooks under the same names.
      return Object.fromEntries(hooks) as Quirk
    })
}

function routesOf(desk: Desk, trouble: Trouble, note: (name: string) => void): readonly (readonly [string, Route])[] {
  const { facts, places } = desk
  const more = (facts.userinfo?.then ?? []).map(
    (call, nth) =>
      [
        placeOf(new URL(call.url)),
        async (seen: Seen, grants: Map<string, Grant>) => {
          note(`call ${nth + 1}`)
          return readMore(desk, call, seen, grants)
        },
      ] as const,
  )
  return [
    ...documents(desk, places),
    [
      placeOf(places.token),
      async (seen, grants) => {
        note("token")
        const granted = await exchange(desk, seen, grants)
        return trouble.refused === true ? refuse(desk) : granted
      },
    ],
    ...more,
    ...(places.userinfo === undefined ? [] : [[pathTo(places.userinfo, desk), profile] as const]),
  ]

  async function profile(seen: Seen, grants: Map<string, Grant>): Promise<Wire> {
    note("userinfo")
    const found = await readProfile(desk, seen, grants)
    return trouble.userinfo ?? found
  }
}

function documents(desk: Desk, { jwks }: Places): readonly (readonly [string, Route])[] {
  const { discovery } = desk.facts
  if (discovery === undefined) return []
  return [
    [placeOf(new URL(discovery.at)), async (seen) => discoveryDocument(desk, seen)],
    [placeOf(jwks), async () => keySet(desk)],
  ]
}

/** The token may be part of the path: there is one person, so there is one token. */
function pathTo(url: URL, { now }: Desk): string {
  return placeOf(url).replace("%7Btoken%7D", `access-${now()}`)
}

function placeOf({ origin, pathname }: URL): string {
  return origin + pathname
}

async function look(input: string | URL | Request, init: RequestInit | undefined): Promise<Seen> {
  const request = new Request(input, init)
  return { method: request.method, url: new URL(request.url), headers: request.headers, text: await request.text() }
}

function toResponse({ status, headers, body }: Wire, { contentType = "application/json" }: Facts): Response {
  const raw = typeof body === "string" || body instanceof ArrayBuffer ? body : JSON.stringify(body)
  return new Response(raw, {
    status,
    headers: { "content-type": contentType, ...headers },
  })
}
