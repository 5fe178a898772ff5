import type { GivenProvider, Provider } from "../model/given-provider.js"

export type Options = Readonly<Record<string, unknown>>
export type Factory<T extends object> = (options: Options) => T

/** How a provider was made, so that it can be made again when its options change. */
interface Origin {
  readonly factsFor: (options: object) => object
  /** The facts as first made. A value that differs from them was changed by the developer afterwards. */
  readonly made: Options
}

const origin: unique symbol = Symbol("provider-origin")

/** A provider whose facts {@link withOptions} can recompute. */
export function followingOptions<T extends object>(factory: Factory<T>, options: Options): T {
  const factsFor = rememberingLast(factory)
  const made = factsFor(options)
  return Object.assign({ ...made, options }, { [origin]: { factsFor, made: propertiesOf(made) } satisfies Origin })
}

function propertiesOf(facts: object): Options {
  return { ...facts }
}

/** Compiling a configuration asks for the same facts several times. */
function rememberingLast<T extends object>(factory: Factory<T>): (options: object) => T {
  let last: { readonly options: Options; readonly facts: T } | undefined
  return (given) => {
    const options = propertiesOf(given)
    if (last === undefined || !haveSameValues(last.options, options)) last = { options, facts: factory(options) }
    return last.facts
  }
}

function haveSameValues(one: Options, other: Options): boolean {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key])
  )
}

/** Whether the provider comes from `defineProvider`. */
export function followsOptions(provider: object): boolean {
  return originOf(provider) !== undefined
}

/** The provider with the facts for these options. Values that the developer changed by hand stay. */
export function withOptions<T extends object>(provider: T, options: object): T {
  const known = originOf(provider)
  if (known === undefined) return provider
  const changed = Object.entries(provider).filter(([key, value]) => value !== known.made[key])
  return { ...provider, ...known.factsFor(options), ...Object.fromEntries(changed), options }
}

function originOf(provider: object): Origin | undefined {
  const found: unknown = Reflect.get(provider, origin)
  return isOrigin(found) ? found : undefined
}

function isOrigin(value: unknown): value is Origin {
  return typeof value === "object" && value !== null && "factsFor" in value && "made" in value
}

/** Calls a provider that stands uncalled in `providers`. Each factory has options of its own type. */
export function callFactory(
  factory: Extract<Provider, (...options: never[]) => unknown>,
  options: object,
): GivenProvider {
  return (factory as (options: object) => GivenProvider)(options)
}

/** The URL of a path below an issuer. `undefined` as long as the issuer isn't known. */
export function urlBelow(issuer: string | URL | undefined, path: string): string | undefined {
  return issuer === undefined ? undefined : `${String(issuer).replace(/\/$/, "")}${path}`
}

/**
 * For `issuerFor`: expect the issuer that the discovery document names, where it differs in spelling from the
 * configured one. Both have the same origin.
 */
export function publishedIssuer(_claims: unknown, published: string): string {
  return published
}
