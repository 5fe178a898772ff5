import type { Mount } from "../project/mount.js"
import { type Finding, ok, problem } from "./finding.js"

interface Paths {
  /** Where the code serves the routes. Undefined if the code doesn't show it. */
  readonly mount: Mount | undefined
  /** The base path that the configuration and AUTH_URL result in. */
  readonly basePath: string
  /** AUTH_URL, or its old name. */
  readonly url: string | undefined
}

/** Compares the path of the routes with the base path, from which redirect URIs are made. */
export function routeFindings({ mount, basePath, url }: Paths): Finding[] {
  if (mount === undefined) return []
  const path = pathIn(url)
  if (path !== undefined && path !== mount.path) {
    const expected = `${new URL(url ?? "").origin}${mount.path}`
    return [
      problem(
        "base path",
        `AUTH_URL has the path ${path}, but ${mount.file} serves the routes at ${mount.path}`,
        `Set AUTH_URL=${expected}, or move the routes to ${path}`,
      ),
    ]
  }
  if (basePath === mount.path) return [ok("base path", `${basePath}, as in ${mount.file}`)]
  return [
    problem(
      "base path",
      `The configuration has the base path ${basePath}, but ${mount.file} serves the routes at ${mount.path}`,
      `Set \`basePath: "${mount.path}"\`, or move the routes to ${basePath}`,
    ),
  ]
}

/** The path of a URL, unless it's the root. */
function pathIn(url: string | undefined): string | undefined {
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, "") : ""
  return path === "" ? undefined : path
}
