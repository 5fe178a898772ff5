import type { AuthorizationAnswer } from "@latchkey/testing"
import type { Facts, Json } from "../facts.js"
import type { Endpoints } from "./endpoints.js"

/** What the user agreed to. */
export interface Grant {
  readonly code: string
  readonly redirectUri: string
  readonly scope: string | undefined
  readonly challenge: string | undefined
  readonly nonce: string | undefined
  /** The parameters of the authorization request. */
  readonly params: Readonly<Record<string, string>>
  readonly accessToken: string
}

/** A request as the service received it. */
export interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly text: string
}

/** A response. Text and bytes are sent as they are, anything else as JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Context {
  readonly facts: Facts
  readonly endpoints: Endpoints
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Records a difference between a request and the facts. */
  readonly mismatch: (text: string) => void
  readonly quirks: readonly Quirk[]
}

/** A way in which a service differs from the specifications. */
export interface Quirk {
  /** Changes which fields are expected of a request. */
  readonly expects?: (
    fields: Record<string, string>,
    received: Readonly<Record<string, string>>,
  ) => Record<string, string>
  readonly callback?: (answer: AuthorizationAnswer) => AuthorizationAnswer
  readonly document?: (document: Json) => Json
  readonly accessToken?: (grant: Grant) => string
  readonly claims?: (claims: Json, grant: Grant) => Json
  /** Signs ID tokens in place of the published key. */
  readonly sign?: (claims: Json, context: Context) => Promise<string>
  /** Changes a response of the token endpoint. `granted`: it has tokens. */
  readonly token?: (reply: Reply, granted: boolean) => Reply | Promise<Reply>
  /** Whether the request carries the access token in a way that only this service accepts. */
  readonly carries?: (request: Received, accessToken: string) => boolean
  readonly userinfo?: (reply: Reply, request: Received, context: Context) => Reply | Promise<Reply>
}

/** Records every difference between the fields of a request and the expected ones. */
export function compare(
  { mismatch }: Context,
  endpoint: string,
  received: Readonly<Record<string, string>>,
  expected: Json,
): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(received)])) {
    if (received[name] === expected[name]) continue
    const [is, due] = [received[name], expected[name]].map((value) =>
      value === undefined ? "nothing" : JSON.stringify(value),
    )
    mismatch(`${endpoint}: \`${name}\` is ${is} and should be ${due}`)
  }
}

/** `*` in the facts stands for any value. */
export function compareHeaders(
  { mismatch }: Context,
  endpoint: string,
  { headers }: Received,
  expected: Json = {},
): void {
  for (const [name, value] of Object.entries(expected)) {
    const received = headers.get(name) ?? ""
    if (value === "*" ? received === "" : received !== value)
      mismatch(`${endpoint}: the header ${name} is ${JSON.stringify(received)}`)
  }
}

/** Puts a value at a path such as `data.users[0]`. */
export function wrap(value: unknown, path = ""): unknown {
  const steps = path.split(/\.|(?=\[)/).filter((step) => step !== "")
  return steps.reduceRight<unknown>((inner, step) => (step === "[0]" ? [inner] : { [step]: inner }), value)
}
