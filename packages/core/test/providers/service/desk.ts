import type { AuthorizationAnswer } from "@latchkey/testing"
import type { Facts, Json } from "../facts.js"
import type { Places } from "./places.js"

/** What a person agreed to. */
export interface Grant {
  readonly code: string
  readonly redirectUri: string
  readonly scope: string | undefined
  readonly challenge: string | undefined
  readonly nonce: string | undefined
  /** The parameters of the authorization request. */
  readonly asked: Readonly<Record<string, string>>
  readonly accessToken: string
}

/** A request as it arrived. */
export interface Seen {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly text: string
}

/** An answer on its way: text and bytes as they are, anything else as JSON. */
export interface Wire {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Where a service is at work. */
export interface Desk {
  readonly facts: Facts
  readonly places: Places
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly complain: (text: string) => void
  readonly quirks: readonly Quirk[]
}

/** A way in which services differ from the specifications: a file of `services/` each. */
export interface Quirk {
  /** Changes what is expected of a request, given what came. */
  readonly expects?: (fields: Record<string, string>, came: Readonly<Record<string, string>>) => Record<string, string>
  readonly callback?: (answer: AuthorizationAnswer) => AuthorizationAnswer
  readonly document?: (document: Json) => Json
  readonly accessToken?: (grant: Grant) => string
  readonly claims?: (claims: Json, grant: Grant) => Json
  /** How ID tokens are signed, instead of with the published key. */
  readonly sign?: (claims: Json, desk: Desk) => Promise<string>
  /** Of the token endpoint; `granted`: it holds tokens. */
  readonly token?: (answer: Wire, granted: boolean) => Wire | Promise<Wire>
  /** Whether the access token is where it may be. */
  readonly carries?: (seen: Seen, accessToken: string) => boolean
  readonly userinfo?: (answer: Wire, seen: Seen, desk: Desk) => Wire | Promise<Wire>
}

/** Says what differs; nothing if nothing does. */
export function compare(desk: Desk, what: string, came: Readonly<Record<string, string>>, expected: Json): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(came)])) {
    if (came[name] === expected[name]) continue
    const words = [came[name], expected[name]].map((value) => (value === undefined ? "nothing" : JSON.stringify(value)))
    desk.complain(`${what}: \`${name}\` is ${words[0]} and should be ${words[1]}`)
  }
}

/** A header of the facts: `*` stands for anything. */
export function compareHeaders({ complain }: Desk, what: string, { headers }: Seen, expected: Json = {}): void {
  for (const [name, value] of Object.entries(expected)) {
    const came = headers.get(name) ?? ""
    if (value === "*" ? came === "" : came !== value) complain(`${what}: the header ${name} is ${JSON.stringify(came)}`)
  }
}

/** Puts a value where a path such as `data.users[0]` leads. */
export function wrap(value: unknown, path = ""): unknown {
  const steps = path.split(/\.|(?=\[)/).filter((step) => step !== "")
  return steps.reduceRight<unknown>((inner, step) => (step === "[0]" ? [inner] : { [step]: inner }), value)
}
