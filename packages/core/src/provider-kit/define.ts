import type { OAuth2Config, OAuthConfig, OAuthUserConfig, OIDCConfig, ProfileContext } from "../model/oauth-provider.js"
import type { Awaitable, TokenSet, User } from "../model/user.js"
import { type Factory, followingOptions, type Options } from "./options.js"

/** What is known about a service: its id, URLs and scopes, and how its profile `P` maps to a user. */
export type ProviderFacts<P> = Facts<OAuth2Config<P>, P> | Facts<OIDCConfig<P>, P>

type Facts<T, P> = Omit<T, "options" | "profile"> & {
  /** Maps the raw profile to a user. Fields the service left out may be `undefined`. */
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<Incomplete<User>>
}

type Incomplete<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** What you can pass to a provider: the client, anything that replaces a fact, and the options `O` of this service. */
export type ProviderOptions<P, O extends object = object> = OAuthUserConfig<P> & Partial<O>

/**
 * An element of `providers`, either as it is or called with options. The result doesn't mention the raw profile `P`, so
 * that a list can hold providers with different profiles. `Q` is for a profile with claims of your own.
 */
export type ProviderFactory<P, O extends object = object> = <Q extends P = P>(
  options?: ProviderOptions<Q, O>,
) => OAuthConfig

/**
 * Turns the facts about a service into a provider.
 *
 * Pass a function if a fact depends on an option. It runs when the provider is called, and once more if environment
 * variables such as `AUTH_<ID>_ISSUER` add options.
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
  // Every option is optional, and the types of the options and of the profile are the author's claim: nothing here
  // depends on either.
  const factory = (typeof facts === "function" ? facts : () => facts) as Factory<OAuthConfig>
  return (options) => followingOptions(factory, (options ?? {}) as Options)
}
