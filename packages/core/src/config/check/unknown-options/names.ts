/** Any value: text, a number, a function, a list, or an object whose names aren't options. */
export const any = true

/** The names of the options, and those below each. */
export type Names = typeof any | { readonly [option: string]: Names }

/** Every option of `T`: one that is missing in the table, or that only the table has, doesn't compile. */
export type Every<T> = { readonly [K in keyof T as string extends K ? never : Extract<K, string>]-?: Names }
