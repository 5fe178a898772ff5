import { thisSite } from "./source.js"
import type { View } from "./view.js"

/** The `Content-Security-Policy` of a page. It allows only what this page needs. */
export function policyOf({ images, script, connects, formTargets }: View, nonce: string): string {
  const imageSources = images.flatMap(({ source }) => source ?? [])
  const directives = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
    ...(connects === true ? [`connect-src ${thisSite}`] : []),
    ["img-src", thisSite, "data:", ...new Set(imageSources)].join(" "),
    ...(formTargets === undefined ? [] : [["form-action", ...new Set(formTargets)].join(" ")]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return directives.join("; ")
}
