import type { AccountSection } from "../html/account.js"
import type { FeaturePage, ProviderView } from "../html/view.js"
import type { AuthContext, Method } from "../model/auth.js"
import type { Adapter } from "../model/adapter.js"
import type { AuthConfig } from "../model/config.js"
import type { Features } from "../model/features.js"
import type { ProviderConfig } from "../model/given-provider.js"
import type { ResolvedProvider } from "../model/signin.js"
import type { Runtime } from "../primitives/runtime.js"
import type { Problem, Warning } from "./check/problem.js"
import type { ReadProvider } from "./read-providers.js"

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

export interface AdapterNeeds {
  /** As in "No adapter is set, and … can't work without one". */
  readonly name: string
  readonly methods: readonly (keyof Adapter)[]
  /** Auth.js v5 doesn't check the methods for sessions beside these. */
  readonly hidesSessions?: boolean
}

export type ProviderFeatures = readonly ProviderFeature[]

/** Everything that `engine/features.ts` lists. */
export interface EngineFeatures extends Features<AuthContext> {
  readonly providers: ProviderFeatures
  /** Built-in pages that come from other features than the pages themselves. */
  readonly featurePages: readonly FeaturePage[]
  /** Load what features show on the account page, in this order. */
  readonly accountSections: readonly (() => Promise<AccountSection>)[]
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
