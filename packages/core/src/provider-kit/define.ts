import type { OAuth2Config, OAuthConfig, OAuthUserConfig, OIDCConfig, ProfileContext } from "../model/oauth-provider.js"
import type { Awaitable, TokenSet, User } from "../model/user.js"
import { type Factory, followingOptions, type Options } from "./options.js"

/** What is known about a service: its id, URLs and scopes, and how its profile `P` maps to a user. */
export type ProviderFacts<P> = Facts<OAuth2Config<P>, P> | Facts<OIDCConfig<P>, P>

type Facts<T, P> = Omit<T, "options" | "profile"> & {
  /** Maps the raw profile to a user. Fields the service left out may be `undefined`. */
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<Incomplete<User>>
}

type FactsWithId<P, Id extends string> = ProviderFacts<P> & { readonly id: Id }

type Incomplete<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** What you can pass to a provider: the client, anything that replaces a fact, and the options `O` of this service. */
export type ProviderOptions<P, O extends object = object> = OAuthUserConfig<P> & Partial<O>

/**
 * An element of `providers`, either as it is or called with options. The result doesn't mention the raw profile `P`, so
 * that a list can hold providers with different profiles. `Q` is for a profile with claims of your own, and `I` is the id.
 */
export interface ProviderFactory<P, O extends object = object, Id extends string = string> {
  <Q extends P = P, const I extends string = Id>(
    options: ProviderOptions<Q, O> & { readonly id?: I | undefined },
  ): OAuthConfig & { readonly id: I }
  // Last on purpose: TypeScript reads the id of a factory that isn't called from here.
  (): OAuthConfig & { readonly id: Id }
}

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
export function defineProvider<P, O extends object = object, Id extends string = string>(
  facts: FactsWithId<P, Id> | ((options: ProviderOptions<P, O>) => FactsWithId<P, Id>),
): ProviderFactory<P, O, Id> {
  // Every option is optional, and the types of the options and of the profile are the author's claim: nothing here
  // depends on either.
  const factory = (typeof facts === "function" ? facts : () => facts) as Factory<OAuthConfig>
  const create = (options: object | undefined) => followingOptions(factory, (options ?? {}) as Options)
  // The id is the author's claim too.
  return create as ProviderFactory<P, O, Id>
}
