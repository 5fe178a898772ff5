import { loaders } from "#languages"
import { english } from "./languages/en.js"
import type { Messages } from "./messages.js"

/** Tags of the languages that the library has in this bundle. */
export const bundledTags: readonly string[] = ["en", ...Object.keys(loaders)]

/** The texts of a language, or English if the bundle doesn't have it. */
export async function builtIn(tag: string): Promise<Messages> {
  return (Object.hasOwn(loaders, tag) ? await loaders[tag]?.() : undefined) ?? english
}
