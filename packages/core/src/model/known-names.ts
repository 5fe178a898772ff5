import type { AuthConfig } from "./config.js"
import type { JWT } from "./session.js"

/**
 * What a configuration function returns. TypeScript accepts any other property there, so `K` are the names of its properties,
 * and those that a configuration `C` doesn't have can have no value.
 */
export type OnlyOptions<T extends JWT, S, K extends PropertyKey, C = AuthConfig<T, S>> = C & {
  readonly [P in K]?: P extends keyof C | keyof AuthConfig ? unknown : "There is no option of this name"
}

/**
 * The id of a provider, as an argument: a literal must be one of `Id`, if TypeScript knows these. A variable of type `string`
 * can have any id.
 */
export type IdArgument<Id extends string, P extends string> = string extends P ? P : P extends Id ? P : Id
