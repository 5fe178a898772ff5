import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bindingsOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { nameOf, type Source, textOf, walk } from "../source/syntax.js"
import { readEnvFile } from "./env-file.js"
import type { ConfigurationFile } from "./find-configuration.js"
import type { Project } from "./project.js"

/** Where the routes of the engine are reached, in one environment. */
export interface Address {
  /** `development`, or the env file that says so. */
  readonly environment: string
  /** `http://localhost:3000/api/auth` */
  readonly base: string
}

/** In the order in which the first one counts, for a development server. */
export const developmentFiles: readonly string[] = [".env.development.local", ".env.local", ".env.development", ".env"]
export const productionFiles: readonly string[] = [".env.production.local", ".env.local", ".env.production", ".env"]

/** Every address that the files of the application and the environment tell, each once. */
export function addressesOf(
  project: Project,
  files: readonly ConfigurationFile[],
  env: Readonly<Record<string, string | undefined>>,
): Address[] {
  const basePath = writtenBasePath(project, files)
  const told = [...new Set([...developmentFiles, ...productionFiles])].flatMap((file) => {
    const variables = readEnvFile(project.root, file)
    return urlsIn((name) => variables.get(name)).map((url) => ({ environment: file, url }))
  })
  const current = urlsIn((name) => env[name]).map((url) => ({ environment: "the environment", url }))
  const local = {
    environment: "development",
    base: `http://localhost:${portOf(project)}${basePath ?? project.framework.basePath}`,
  }
  const addresses = [
    local,
    ...[...told, ...current].map(({ environment, url }) => ({ environment, base: baseOf(url, basePath, project) })),
  ]
  const seen = new Set<string>()
  return addresses.filter(({ base }) => !seen.has(base) && seen.add(base))
}

function urlsIn(read: (name: string) => string | undefined): string[] {
  const url = read("AUTH_URL") || read("NEXTAUTH_URL")
  const proxy = read("AUTH_REDIRECT_PROXY_URL")
  return [url, proxy].filter((one) => one !== undefined && URL.canParse(one)).map(String)
}

function baseOf(url: string, basePath: string | undefined, { framework }: Project): string {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, "")
  return origin + (basePath ?? (path === "" ? framework.basePath : path))
}

/** The base path that stands in the code: the option, the mount in Express, or the one below `basePath` of Next.js. */
export function writtenBasePath({ root, framework }: Project, files: readonly ConfigurationFile[]): string | undefined {
  for (const { source, configurations } of files) {
    for (const { object } of configurations) {
      const option = propertyOf(object, "basePath")
      const path = option === undefined ? undefined : textOf(option.value)
      if (path !== undefined) return path.replace(/\/+$/, "")
    }
    const mount = mountIn(source)
    if (mount !== undefined) return mount
  }
  const below = framework.id === "next" ? basePathOfNext(root) : undefined
  return below === undefined ? undefined : below + framework.basePath
}

/** `app.use("/auth", ExpressAuth(…))` */
function mountIn(source: Source): string | undefined {
  const local = bindingsOf(source).find(({ imported }) => imported === "ExpressAuth")?.local
  let mount: string | undefined
  if (local === undefined) return undefined
  walk(source.program, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return
    const [path, handler] = node.arguments
    if (nameOf(node.callee.property) !== "use" || path === undefined || handler?.type !== "CallExpression") return
    if (handler.callee.type === "Identifier" && handler.callee.name === local) mount ??= textOf(path)
  })
  return mount?.replace(/\/?\{?\/?\*.*$/, "").replace(/\/+$/, "")
}

function basePathOfNext(root: string): string | undefined {
  const file = ["next.config.ts", "next.config.mjs", "next.config.js"].find((name) => existsSync(join(root, name)))
  const text = file === undefined ? "" : readFileSync(join(root, file), "utf8")
  return /^[^/\n]*\bbasePath:\s*["'](\/[^"']+)["']/m.exec(text)?.[1]
}

/** Of the development server: the script's `-p`, the variable PORT, or what is usual. */
function portOf({ root, manifest, framework }: Project): number {
  const script = manifest.scripts?.["dev"] ?? manifest.scripts?.["start"] ?? ""
  const option = /(?:-p|--port)[= ](\d+)/.exec(script)?.[1] ?? /\bPORT=(\d+)/.exec(script)?.[1]
  const variable = developmentFiles
    .map((file) => readEnvFile(root, file).get("PORT"))
    .find((port) => port !== undefined)
  return Number(option ?? variable) || framework.port
}
