import type { SessionContext } from "../model/auth.js"
import {
  type Secret,
  cookieSecrets,
  headerSecrets,
  namedSecrets,
  parameterSecrets,
  typedSecrets,
} from "./collect-secrets.js"

/** Where secrets of a request are. They're only read when something is logged. */
type Source = () => readonly Secret[]

/** An application may use one `Headers` object for many calls. Then the oldest sources are forgotten. */
const maxSources = 400

/** Besides the headers themselves. */
const byHeaders = new WeakMap<Headers, Source[]>()

interface WithHeaders {
  readonly headers: Headers
}

function add({ headers }: WithHeaders, source: Source): void {
  const sources = byHeaders.get(headers)
  if (sources === undefined) byHeaders.set(headers, [source])
  else if (sources.push(source) > maxSources) sources.shift()
}

/** Keeps values out of everything that is logged about a request. Objects count with the values whose name is secret. */
export function keepSecret(request: WithHeaders, ...values: readonly unknown[]): void {
  add(request, () =>
    values.flatMap((value) => (typeof value === "string" ? [{ text: value, isNamed: true }] : namedSecrets(value))),
  )
}

/** The same for the cookies of a request that aren't in its headers. */
export function keepCookies(request: WithHeaders, header: string): void {
  add(request, () => cookieSecrets(header))
}

/** The same for everything that a user typed into a form. */
export function keepTyped(request: WithHeaders, typed: unknown): void {
  add(request, () => typedSecrets(typed))
}

/** The same for the parameters of a request, except for those that are known to be public. */
export function keepParameters(request: WithHeaders, values: object): void {
  add(request, () => parameterSecrets(values))
}

export function secretsInFlight({ headers }: WithHeaders): readonly Secret[] {
  return [...headerSecrets(headers), ...(byHeaders.get(headers) ?? []).flatMap((source) => source())]
}

const byObject = new WeakMap<object, Source[]>()

/** Says that an error, or the message of an event, may quote these values. */
export function mayQuote<T extends object>(object: T, source: Source): T {
  byObject.set(object, [...(byObject.get(object) ?? []), source])
  return object
}

export function secretsQuotedBy(object: object): readonly Secret[] {
  return (byObject.get(object) ?? []).flatMap((source) => source())
}

/** The configuration for one request: what it logs has no secrets of that request, and its security events belong to it. */
export function forRequest<A extends SessionContext>(auth: A, request: { readonly headers: Headers }): A {
  return { ...auth, logger: auth.logger.forRequest(request), ...auth.audit?.forRequest() }
}
