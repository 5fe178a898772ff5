import { english } from "./languages/en.js"
import type { Messages } from "./messages.js"

/** Every language loads on first use, so a process has only the languages of its users. */
const loaders: Readonly<Record<string, () => Messages | Promise<Messages>>> = {
  en: () => english,
}

/** Tags of the languages that the library has. */
export const builtInTags: readonly string[] = Object.keys(loaders)

/** The texts of a language, or English if the library doesn't have it. */
export async function builtIn(tag: string): Promise<Messages> {
  const load = Object.hasOwn(loaders, tag) ? loaders[tag] : undefined
  return load === undefined ? english : load()
}
