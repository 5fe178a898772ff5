/**
 * For the result of a configuration function, in which TypeScript accepts any other property: `K` are the names of its
 * properties, and those that `C` doesn't have can have no value.
 */
export type OnlyOptionsOf<C, K extends PropertyKey> = {
  readonly [P in K]?: P extends keyof C ? unknown : "There is no option of this name"
}

/**
 * The id of a provider, as an argument: a literal must be one of `Id`, if TypeScript knows these. A variable of type `string`
 * can have any id.
 */
export type IdArgument<Id extends string, P extends string> = string extends P ? P : P extends Id ? P : Id
