import type {
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  Provider,
  ProfileContext,
  GivenProvider,
} from "../model/provider.js"
import type { Awaitable, TokenSet, User } from "../model/user.js"

/** What is known of a service: ids, addresses, scopes, and how its profile maps to a user. `P` is the raw profile. */
export type ProviderFacts<P> = Facts<OAuth2Config<P>, P> | Facts<OIDCConfig<P>, P>

type Facts<T, P> = Omit<T, "options" | "profile"> & {
  /** What the service left out may be `undefined`. */
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<Incomplete<User>>
}

type Incomplete<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** What a developer may say: the client, anything that replaces a fact, and the options `O` of this service. */
export type ProviderOptions<P, O extends object = object> = OAuthUserConfig<P> & Partial<O>

/** An element of `providers` as it is, or called with options. The raw profile is erased, so that any fits. */
export type ProviderFactory<P, O extends object = object> = (options?: ProviderOptions<P, O>) => OAuthConfig

type Options = Readonly<Record<string, unknown>>

interface Origin {
  readonly make: (options: Options) => object
  /** What `make` gave at the call: values that differ from it were changed by the developer since. */
  readonly made: Options
}

const origin: unique symbol = Symbol("provider-origin")

/**
 * Turns the facts of a service into a provider. Facts that depend on an option are a function of the options: it runs
 * again once the environment has filled them, so that an issuer from `AUTH_<ID>_ISSUER` reaches every address.
 *
 * @example
 * ```ts
 * import { defineProvider } from "@latchkey/core/providers/define"
 * export const Acme = defineProvider<{ id: number; handle: string }>(({ issuer = "https://acme.example" }) => ({
 *   id: "acme",
 *   name: "Acme",
 *   type: "oauth",
 *   authorization: { url: `${issuer}/authorize`, params: { scope: "me" } },
 *   token: `${issuer}/token`,
 *   userinfo: `${issuer}/me`,
 *   profile: ({ id, handle }) => ({ id: String(id), name: handle }),
 * }))
 * export const providers = [Acme, Acme({ id: "acme-staging", issuer: "https://staging.acme.example" })]
 * ```
 */
export function defineProvider<P, O extends object = object>(
  facts: ProviderFacts<P> | ((options: ProviderOptions<P, O>) => ProviderFacts<P>),
): ProviderFactory<P, O> {
  // Every option is optional, and `P` is the author's word on what the service sends: nothing here depends on either.
  const make = (typeof facts === "function" ? facts : () => facts) as (options: Options) => OAuthConfig
  return (options) => {
    const given: Options = { ...options }
    const made = make(given)
    return Object.assign(
      { ...made, options: options ?? {} },
      { [origin]: { make, made: { ...made } } satisfies Origin },
    )
  }
}

/** Whether the provider came from {@link defineProvider} and follows its options wherever they change. */
export function isRemakable(provider: object): boolean {
  return originOf(provider) !== undefined
}

/** The provider with the facts that hold for these options; what the developer changed by hand stays. */
export function remake<T extends object>(provider: T, options: object): T {
  const known = originOf(provider)
  if (known === undefined) return provider
  const changed = Object.entries(provider).filter(([key, value]) => value !== known.made[key])
  return { ...provider, ...known.make({ ...options }), ...Object.fromEntries(changed), options }
}

function originOf(provider: object): Origin | undefined {
  const found: unknown = Reflect.get(provider, origin)
  return isOrigin(found) ? found : undefined
}

function isOrigin(value: unknown): value is Origin {
  return typeof value === "object" && value !== null && "make" in value && "made" in value
}

/** A factory's options are its own: what they may hold is not ours to know. */
export function call(factory: Extract<Provider, (...options: never[]) => unknown>, options: object): GivenProvider {
  return (factory as (options: object) => GivenProvider)(options)
}
