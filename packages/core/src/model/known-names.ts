import type { AuthConfig } from "./config.js"
import type { KnownProvider } from "./given-provider.js"

/**
 * What a configuration function returns, where `K` are the names of its properties. TypeScript accepts any name there, because the
 * value may be an object that has more to say. A name that is one letter off an option of the configuration `C` is a typing error,
 * so it can have no value.
 */
export type OnlyOptions<C, K extends PropertyKey> = C & {
  readonly [P in K]?: P extends keyof C | keyof AuthConfig
    ? unknown
    : [Extract<Spellings<P>, Spellings<keyof C>>] extends [never]
      ? unknown
      : "There is no option of this name"
}

/** The name, and what is left of it without one letter. Two names that are one letter apart have one of these in common. */
type Spellings<Name> = Name extends string ? Lowercase<Name> | Shorter<Lowercase<Name>> : never

type Shorter<Name extends string, Before extends string = ""> = Name extends `${infer Letter}${infer After}`
  ? `${Before}${After}` | Shorter<After, `${Before}${Letter}`>
  : never

/** A configuration `C` whose providers have the ids `Id`, with the modules `Mods`. */
export type WithProviders<C, Id extends string, Mods = AuthConfig["modules"]> = WithModules<
  Omit<C, "providers">,
  Mods
> & {
  readonly providers: readonly KnownProvider<Id>[]
}

/** A configuration `C` with the modules `Mods`. */
export type WithModules<C, Mods> = Omit<C, "modules"> & { readonly modules?: Mods | undefined }

/**
 * The id of a provider, as an argument: a literal must be one of `Id`, if TypeScript knows these. A variable of type `string`
 * can have any id.
 */
export type IdArgument<Id extends string, P extends string> = string extends P ? P : P extends Id ? P : Id
