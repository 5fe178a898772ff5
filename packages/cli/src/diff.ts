import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff"

/** A unified diff that `git apply` accepts. Empty if nothing changes; `undefined` stands for a file that doesn't exist. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ""
  const from = before === undefined ? "/dev/null" : `a/${path}`
  const to = after === undefined ? "/dev/null" : `b/${path}`
  const patch = structuredPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 })
  return formatPatch(patch, FILE_HEADERS_ONLY).replace(/\n$/, "")
}
