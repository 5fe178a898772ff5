import type { AccountSection } from "../html/account.js"
import type { FeaturePageView, ProviderView } from "../html/view.js"
import type { AuthContext, Method } from "../model/auth.js"
import type { Adapter } from "../model/adapter.js"
import type { BuiltInPages } from "../model/built-in-pages.js"
import type { AuthConfig } from "../model/config.js"
import type { Page } from "../model/http.js"
import type { CredentialKind } from "../model/credential-kind.js"
import type { AccountPart, Features, Limiter, Route } from "../model/features.js"
import type { ProviderConfig } from "../model/given-provider.js"
import type { ResolvedProvider } from "../model/signin.js"
import type { Runtime } from "../primitives/runtime.js"
import type { Problem, Warning } from "./check/problem.js"

/** What a feature brings. Its `feature.ts` is all that every engine has of it, and the rest loads on first use. */
export interface Feature {
  readonly providers?: ProviderFeature
  /** By method and action, such as `GET signin`. */
  readonly routes?: ReadonlyMap<string, Route<AuthContext>>
  readonly pages?: readonly FeaturePage[]
  /** Renders all pages. */
  readonly builtInPages?: (features: () => EngineFeatures) => BuiltInPages<AuthContext>
  /** The functions of `createServer().account`. */
  readonly account?: Features<AuthContext>["account"]
  /** What it adds to these functions. */
  readonly accountPart?: () => Promise<AccountPart<AuthContext>>
  /** What it shows on the account page. */
  readonly accountSection?: () => Promise<AccountSection>
  /** What `revoke` ends. */
  readonly credentialKinds?: readonly CredentialKind<AuthContext>[]
  readonly providerTokens?: Features<AuthContext>["providerTokens"]
  readonly limiter?: () => Promise<Limiter<AuthContext>>
}

/**
 * What a feature does with the providers of its types while the configuration is compiled. Every engine has this part, and the
 * rest loads with the first sign-in. `engine/features.ts` lists all of them.
 */
export interface ProviderFeature<P extends ProviderConfig = ProviderConfig> {
  readonly types: readonly P["type"][]
  /** What can't work without an adapter. */
  readonly needsAdapter?: AdapterNeeds
  /** A sign-in stores no user. */
  readonly storesNothing?: boolean
  /** Decides every default. @throws AuthError if the provider can't be used */
  resolve(provider: P, config: AuthConfig, runtime: Runtime): ResolvedProvider
  problems(path: string, provider: P, config: AuthConfig): Iterable<Problem>
  /** Problems between several providers. */
  problemsTogether?(providers: readonly ReadProvider[], config: AuthConfig): Iterable<Problem>
  warnings?(path: string, provider: P, config: AuthConfig): Iterable<Warning>
  warningsTogether?(providers: readonly ReadProvider[], config: AuthConfig): Iterable<Warning>
  warningsOnceCompiled?(auth: AuthContext): Iterable<Warning>
  /** Names of the options by which a provider is less secure than by default. */
  weakened?(provider: P): readonly string[]
  /** Loads what pages and flows say of the providers. */
  view(): Promise<ProviderView>
  /** Loads how to sign in. */
  load(provider: P): Promise<Method>
}

/** A provider with its options merged, and its path in the configuration. */
export interface ReadProvider {
  readonly path: string
  readonly provider: ProviderConfig
}

export interface AdapterNeeds {
  /** As in "No adapter is set, and … can't work without one". */
  readonly name: string
  readonly methods: readonly (keyof Adapter)[]
  /** Auth.js v5 doesn't check the methods for sessions beside these. */
  readonly hidesSessions?: boolean
}

export type ProviderFeatures = readonly ProviderFeature[]

/** A page, and the step that a flow gets instead. */
export interface FeaturePage<P extends Page = Page> {
  readonly name: P["name"]
  /** @param sections what features show on the account page */
  load(sections: EngineFeatures["accountSections"]): Promise<FeaturePageView<P>>
}

/** Everything that the features bring. */
export interface EngineFeatures extends Features<AuthContext> {
  readonly providers: ProviderFeatures
  readonly featurePages: readonly FeaturePage[]
  readonly accountSections: readonly (() => Promise<AccountSection>)[]
}

/** @param all in the order in which they show and end what they have */
export function together(all: readonly Feature[]): EngineFeatures {
  const first = <T>(find: (feature: Feature) => T | undefined) => all.map(find).find((found) => found !== undefined)
  const features: EngineFeatures = {
    providers: all.flatMap(({ providers }) => providers ?? []),
    routes: new Map(all.flatMap(({ routes }) => [...(routes ?? [])])),
    featurePages: all.flatMap(({ pages }) => pages ?? []),
    accountParts: all.flatMap(({ accountPart }) => accountPart ?? []),
    accountSections: all.flatMap(({ accountSection }) => accountSection ?? []),
    credentialKinds: all.flatMap(({ credentialKinds }) => credentialKinds ?? []),
    account: first(({ account }) => account),
    pages: first(({ builtInPages }) => builtInPages)?.(() => features),
    providerTokens: first(({ providerTokens }) => providerTokens),
    limiter: first(({ limiter }) => limiter),
  }
  return features
}

export function featureOf(
  features: ProviderFeatures,
  { type }: { readonly type: string },
): ProviderFeature | undefined {
  return features.find(({ types }) => types.some((each) => each === type))
}

export function nameOf(provider: ProviderConfig): string {
  const id: unknown = provider.id
  return `The provider ${JSON.stringify(typeof id === "string" ? id.slice(0, 64) : null)}`
}

export function inSentence(provider: ProviderConfig): string {
  return nameOf(provider).replace("The", "the")
}
