import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../failure.js"
import { bindingsOf } from "../source/imports.js"
import { nameOf, type Node, parse, type Source, textOf, valueOf, walk } from "../source/syntax.js"
import { sourceFiles } from "./find-configuration.js"
import type { Project } from "./project.js"

/** Where the application serves the auth routes. */
export interface Mount {
  /** The path that browsers request, such as `/api/auth`. */
  readonly path: string
  /** The file that says so. */
  readonly file: string
}

/** Finds the route file of Next.js, or `app.use("/auth", ExpressAuth(…))`. Undefined if the code doesn't show it. */
export function mountOf({ root, framework }: Project): Mount | undefined {
  if (framework.id === "next") return nextMount(root)
  return framework.id === "express" ? expressMount(root) : undefined
}

/**
 * Finds the plugin of Qwik that exports `onRequest` of `QwikAuth$`, which answers the requests below the base path. Qwik runs
 * plugins at the top of the routes only.
 */
export function qwikPlugin(root: string): string | undefined {
  const folder = `${routesFolder(root)}/`
  const plugin = /^plugin(?:@[\w-]+)?\.[cm]?[jt]sx?$/
  return sourceFiles(root)
    .filter((name) => name.startsWith(folder) && plugin.test(name.slice(folder.length)))
    .find((name) => servesAuth(readFileSync(join(root, name), "utf8")))
}

/** What shows that an application serves the auth routes. */
interface RouteRule {
  /** The files in which the framework looks for it. */
  readonly path: RegExp
  readonly text: RegExp
}

/** The frameworks that find the routes by the name of a file. */
const routeRules: Readonly<Record<string, RouteRule>> = {
  astro: {
    path: /^(?:src\/pages\/.*\[\.\.\.\w+\]|src\/middleware(?:\/index)?|astro\.config)\.[cm]?[jt]s$/,
    text: /auth/i,
  },
  nuxt: { path: /^(?:src\/)?server\/(?:api|middleware|plugins|routes)\//, text: /auth/i },
  "react-router": { path: /^app\/routes(?:\.[jt]s$|\/)/, text: /auth/i },
  "solid-start": { path: /^src\/(?:middleware(?:\/index)?|routes\/.*\[\.\.\.\w+\])\.[jt]sx?$/, text: /auth/i },
  sveltekit: { path: /^src\/hooks\.server(?:\/index)?\.[jt]s$/, text: /auth/i },
  "tanstack-start": { path: /^src\/(?:start\.tsx?$|routes\/.*\$\.[jt]sx?$)/, text: /auth/i },
}

/**
 * The file that serves the auth routes: the one that the framework looks for, or for a server the one that uses Latchkey's
 * package and the app. Undefined if there is none.
 */
export function routeFile({ root, framework }: Project): string | undefined {
  const rule = routeRules[framework.id]
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  const files = sourceFiles(root)
  if (rule !== undefined) return files.find((path) => rule.path.test(path) && rule.text.test(read(path)))
  const { integration, formerly = integration } = framework
  const named = new RegExp(`["'](?:${escape(integration)}|${escape(formerly)})["']`)
  const users = files.filter((path) => named.test(read(path)))
  const stems = users.map((path) => escape(path.replace(/^.*\//, "").replace(/\.[cm]?[jt]s$/, "")))
  const imports = new RegExp(`["'][./~@#][^"']*?/?(?:${stems.join("|")})(?:\\.[cm]?[jt]s)?["']`)
  const mounted = /\.(?:all|forRoot|mount|on|register|route|use)\w*\(/
  return files.find((path) => {
    const text = read(path)
    return users.includes(path) ? mounted.test(text) : users.length > 0 && imports.test(text)
  })
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
}

/** The call may be in another file, which the plugin then re-exports. */
function servesAuth(text: string): boolean {
  return /\bonRequest\b|\bexport \*/.test(text) && /\bQwikAuth|\bfrom\s+["'][^"']*auth/i.test(text)
}

/** `src/routes`, or the folder of `routesDir` in the configuration of Vite. */
export function routesFolder(root: string): string {
  const file = ["ts", "mts", "js", "mjs"]
    .map((end) => `vite.config.${end}`)
    .find((name) => existsSync(join(root, name)))
  const text = file === undefined ? "" : readFileSync(join(root, file), "utf8")
  const folder = /\broutesDir:\s*["'](?:\.\/)?([\w./-]+?)\/?["']/.exec(text)?.[1]
  return folder ?? "src/routes"
}

const route = /^(?:.*\/)?app\/(.+)\/\[\.\.\.\w+\]\/route\.[cm]?[jt]sx?$/

function nextMount(root: string): Mount | undefined {
  for (const file of sourceFiles(root)) {
    const below = route.exec(file)?.[1]
    if (below === undefined || !/\bhandlers\b/.test(readFileSync(join(root, file), "utf8"))) continue
    // Route groups and slots aren't part of the URL.
    const segments = below.split("/").filter((segment) => !/^[(@]/.test(segment))
    return { path: `${nextBasePath(root) ?? ""}/${segments.join("/")}`, file }
  }
  return undefined
}

/** `basePath` of next.config. */
export function nextBasePath(root: string): string | undefined {
  const file = ["next.config.ts", "next.config.mjs", "next.config.js"].find((name) => existsSync(join(root, name)))
  const text = file === undefined ? "" : readFileSync(join(root, file), "utf8")
  return /^[^/\n]*\bbasePath:\s*["'](\/[^"']+)["']/m.exec(text)?.[1]
}

function expressMount(root: string): Mount | undefined {
  for (const file of sourceFiles(root)) {
    const text = readFileSync(join(root, file), "utf8")
    const source = text.includes("ExpressAuth") ? parsed(file, text) : undefined
    const path = source === undefined ? undefined : mountIn(source)
    if (path !== undefined) return { path, file }
  }
  return undefined
}

function parsed(file: string, text: string): Source | undefined {
  try {
    return parse(file, text)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** The path of `app.use("/auth", ExpressAuth(…))`, with the path of a router in the same file. */
function mountIn(source: Source): string | undefined {
  const local = bindingsOf(source).find(({ imported }) => imported === "ExpressAuth")?.local
  const found = local === undefined ? undefined : usesIn(source).find(({ handler }) => calls(source, handler, local))
  if (found === undefined) return undefined
  const below = clean(found.path)
  if (!isRouter(source, found.owner)) return below
  const above = usesIn(source).find(({ handler }) => nameOf(handler) === found.owner)
  return above === undefined ? undefined : clean(above.path) + below
}

/** Whether the handler is `ExpressAuth(…)`, or a constant with this value. */
function calls(source: Source, handler: Node, local: string): boolean {
  const name = nameOf(handler)
  const value = name === undefined ? handler : valueOf(source, name)
  return value?.type === "CallExpression" && nameOf(value.callee) === local
}

interface Use {
  /** The name of the application or the router. */
  readonly owner: string
  readonly path: string
  readonly handler: Node
}

/** Each `owner.use("/path", handler)`. */
function usesIn({ program }: Source): Use[] {
  const uses: Use[] = []
  walk(program, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return
    const [first, ...handlers] = node.arguments
    const path = first === undefined ? undefined : textOf(first)
    const owner = nameOf(node.callee.object)
    if (nameOf(node.callee.property) !== "use" || path === undefined || owner === undefined) return
    for (const handler of handlers) uses.push({ owner, path, handler })
  })
  return uses
}

function isRouter(source: Source, name: string): boolean {
  const value = valueOf(source, name)
  const callee = value?.type === "CallExpression" || value?.type === "NewExpression" ? value.callee : undefined
  return callee !== undefined && nameOf(callee.type === "MemberExpression" ? callee.property : callee) === "Router"
}

/** Without the wildcard of Express 4 or 5, and a slash at the end. */
function clean(path: string): string {
  return path.replace(/\/?\{?\/?\*.*$/, "").replace(/\/+$/, "")
}
