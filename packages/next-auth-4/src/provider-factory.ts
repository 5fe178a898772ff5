import type { OAuthConfig, OAuthUserConfig } from "./providers/oauth.js"
import type { Anything } from "./model.js"

/** A provider of next-auth 4. `P` is the type of the profile, `O` are options of this service. */
export type ProviderFactory<Base, O = object> = <P extends Base = Base>(
  options: OAuthUserConfig<P> & O,
) => OAuthConfig<P>

/** The same, for a provider whose profile version 4 didn't type. */
export type LooseFactory<O = object> = (options: Partial<OAuthConfig<Anything>> & O) => OAuthConfig<Anything>

type CoreFactory = (options: never) => { readonly type: string; readonly id: string; readonly name: string }

/** Facts of version 4 that differ from those of core. */
export interface Facts {
  readonly id?: string
  readonly name?: string
  readonly issuer?: string
  readonly version?: string
  readonly checks?: readonly string[]
  readonly authorization?: { readonly params: Readonly<Record<string, string>> }
}

/** The provider of core with the same name, in the form of version 4. `protocol` is the type of core. */
export function providerOf(core: CoreFactory, facts: Facts | ((options: Anything) => Facts) = {}): Anything {
  return (options: Anything) => {
    const given = typeof facts === "function" ? facts(options ?? {}) : facts
    const { options: _, type, ...known }: Anything = core((options ?? {}) as never)
    const { authorization } = given
    const whole = { ...known, ...given, type: "oauth", protocol: type, idToken: known.idToken ?? type === "oidc" }
    return { ...whole, authorization: authorizationOf(known.authorization, authorization?.params), options }
  }
}

/** An endpoint as a URL or an object, with other parameters. */
function authorizationOf(known: Anything, params: Readonly<Record<string, string>> | undefined): unknown {
  if (params === undefined) return known
  const endpoint = typeof known === "string" ? { url: known } : known
  return { ...endpoint, params: { ...endpoint?.params, ...params } }
}
