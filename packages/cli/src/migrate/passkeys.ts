import type { Renaming } from "../project/manifest.js"
import { passkeyLibrary, passkeyLibraryRange, passkeyLibraryVersions } from "../project/passkey-library.js"
import { majorIn } from "../project/project.js"
import { type App, lineNumber } from "./app.js"

/** The part of the library for browsers. Latchkey's packages contain what they need. */
const browserLibrary = "@simplewebauthn/browser"

/** Whether the module is a passkey provider, under its old or its new name. */
export function isPasskeyProvider(specifier: string): boolean {
  return /\/providers\/(?:passkey|webauthn)$/.test(specifier)
}

/**
 * The changes to package.json of an application with passkeys. Auth.js needs version 9 of the library, which Latchkey accepts,
 * too. It gets the newest version, unless code of the application calls it: its functions changed since.
 *
 * @param everywhere the packages whose code may use the dependencies of this one
 * @param adds whether to add the library if no package.json has it
 */
export function passkeyRenamings(
  app: App,
  ranges: Readonly<Record<string, string>>,
  { everywhere, adds }: { readonly everywhere: readonly App[]; readonly adds: boolean },
): Renaming[] {
  const isMentioned = (name: string) => everywhere.some((one) => mentions(one, name))
  const browser = ranges[browserLibrary] === undefined || isMentioned(browserLibrary) ? [] : [removal(app)]
  const range = ranges[passkeyLibrary]
  if (range === undefined) return adds ? [...browser, renaming(passkeyLibrary, passkeyLibraryRange())] : browser
  const major = majorIn(range)
  const { newest } = passkeyLibraryVersions()
  if (major === undefined || major >= newest) return browser
  if (isMentioned(passkeyLibrary)) {
    app.draft.note(
      `${passkeyLibrary} stays at ${range}, because your code calls it. Update it to ${newest} before you set \`security: "strict"\`.`,
      "package.json",
    )
    return browser
  }
  app.draft.note(`${passkeyLibrary} changes from ${range} to ${newest}.`, "package.json")
  return [...browser, renaming(passkeyLibrary, passkeyLibraryRange())]
}

function renaming(name: string, range: string | undefined): Renaming {
  return { from: name, to: name, range }
}

function removal({ draft }: App): Renaming {
  const text = draft.get("package.json") ?? ""
  const line = lineNumber(text, Math.max(0, text.indexOf(`"${browserLibrary}"`)))
  draft.note(
    `${browserLibrary} isn't needed anymore, because Latchkey's packages contain their part.`,
    `package.json:${line}`,
  )
  return renaming(browserLibrary, undefined)
}

function mentions({ all, draft }: App, name: string): boolean {
  return all.some((path) => !path.endsWith("package.json") && draft.get(path)?.includes(name) === true)
}
