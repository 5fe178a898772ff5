import { webUrl } from "../project/web-url.js"
import { type Mount, qwikPlugin, routeFile, routesFolder } from "../project/mount.js"
import type { Project } from "../project/project.js"
import { type Finding, ok, problem, warning } from "./finding.js"

interface Paths {
  /** Where the code serves the routes. Undefined if the code doesn't show it. */
  readonly mount: Mount | undefined
  /** The base path that the configuration and AUTH_URL result in. */
  readonly basePath: string
  /** AUTH_URL, or its old name. */
  readonly url: string | undefined
}

/** Compares the path of the routes with the base path, from which redirect URIs are made. */
export function routeFindings(project: Project, { mount, basePath, url }: Paths): Finding[] {
  const { root, framework } = project
  if (framework.id === "qwik") return [pluginFinding(root)]
  if (mount === undefined) return framework.id === "next" || framework.id === "core" ? [] : [servingFinding(project)]
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

function servingFinding(project: Project): Finding {
  const file = routeFile(project)
  if (file !== undefined) return ok("routes", `served by ${file}`)
  const { id, name, integration } = project.framework
  return warning(
    "routes",
    `No code was found that serves the auth routes with ${integration}`,
    `See ${name} in the documentation (docs/${id}.md) for what serves them`,
  )
}

/** Qwik has no route for sign-in: a plugin answers these requests. */
function pluginFinding(root: string): Finding {
  const file = qwikPlugin(root)
  if (file !== undefined) return ok("routes", `served by ${file}`)
  const folder = routesFolder(root)
  return problem(
    "routes",
    `No plugin in ${folder} exports \`onRequest\` of \`QwikAuth$\`, so the application has no routes for sign-in`,
    `Call \`QwikAuth$\` in ${folder}/plugin@auth.ts, and export \`onRequest\`, \`useSession\`, \`useSignIn\` and \`useSignOut\` there`,
  )
}

/** The path of a URL, unless it's the root. */
function pathIn(url: string | undefined): string | undefined {
  const path = webUrl(url)?.pathname.replace(/\/+$/, "") ?? ""
  return path === "" ? undefined : path
}
