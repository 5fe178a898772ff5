import { peerRangeOf } from "../version.js"
import type { Dependencies } from "./manifest.js"
import { majorIn, type Project, rangesOf } from "./project.js"

/** The library that checks passkeys. `@latchkey/core` loads it when a passkey is used. */
export const passkeyLibrary = "@simplewebauthn/server"

interface Versions {
  /** The oldest major version that `@latchkey/core` works with. Auth.js needs this one. */
  readonly oldest: number
  readonly newest: number
}

export function passkeyLibraryVersions(): Versions {
  const range = peerRangeOf(passkeyLibrary)
  const below = /<(\d+)/.exec(range)?.[1]
  const oldest = majorIn(range) ?? 0
  const majors = range.split("||").map((part) => majorIn(part) ?? oldest)
  return { oldest, newest: below === undefined ? Math.max(...majors) : Number(below) - 1 }
}

/** The range for a new dependency. */
export function passkeyLibraryRange(): string {
  return `^${passkeyLibraryVersions().newest}.0.0`
}

/** What package.json needs, if it has no such library or a version that is too old. */
export function passkeyLibraryChange({ manifest }: Pick<Project, "manifest">): Dependencies {
  const range = rangesOf(manifest)[passkeyLibrary]
  const major = majorIn(range)
  // A range without a number, such as `catalog:`, says nothing about the version.
  const isFine = range !== undefined && (major === undefined || major >= passkeyLibraryVersions().oldest)
  return isFine ? {} : { [passkeyLibrary]: passkeyLibraryRange() }
}
