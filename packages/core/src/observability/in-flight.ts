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

/** The secrets of one request, by reference. */
interface InFlight {
  readonly sources: Source[]
}

/** An application may use one `Headers` object for many calls. Then the oldest sources are forgotten. */
const maxSources = 400

const byHeaders = new WeakMap<Headers, InFlight>()

interface WithHeaders {
  readonly headers: Headers
}

function inFlightOf({ headers }: WithHeaders): InFlight {
  const known = byHeaders.get(headers)
  if (known !== undefined) return known
  const made: InFlight = { sources: [() => headerSecrets(headers)] }
  byHeaders.set(headers, made)
  return made
}

function add(request: WithHeaders, source: Source): void {
  const { sources } = inFlightOf(request)
  sources.push(source)
  if (sources.length > maxSources) sources.splice(1, 1)
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
export function keepParameters(request: WithHeaders, ...values: readonly unknown[]): void {
  add(request, () => values.flatMap((value) => parameterSecrets(value)))
}

export function secretsInFlight(request: WithHeaders): readonly Secret[] {
  return inFlightOf(request).sources.flatMap((source) => source())
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
