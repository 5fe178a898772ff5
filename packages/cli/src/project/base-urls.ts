import { webUrl } from "./web-url.js"
import { propertyOf } from "../source/providers.js"
import { textOf } from "../source/syntax.js"
import { readEnvFile } from "./env-file.js"
import type { ConfigurationFile } from "./find-configuration.js"
import { mountOf, nextBasePath } from "./mount.js"
import type { Project } from "./project.js"

/** The URL of the routes in one environment. */
export interface BaseUrl {
  /** `development`, or the env file with the URL. */
  readonly environment: string
  /** Such as `http://localhost:3000/api/auth`. */
  readonly base: string
}

/** The env files of a development server. Earlier files take precedence. */
export const developmentFiles: readonly string[] = [".env.development.local", ".env.local", ".env.development", ".env"]
export const productionFiles: readonly string[] = [".env.production.local", ".env.local", ".env.production", ".env"]

/** The URLs of the routes, from the files of the application and from the environment, without duplicates. */
export function baseUrlsOf(
  project: Project,
  files: readonly ConfigurationFile[],
  env: Readonly<Record<string, string | undefined>>,
): BaseUrl[] {
  const basePath = writtenBasePath(project, files)
  const fromFiles = [...new Set([...developmentFiles, ...productionFiles])].flatMap((file) => {
    const variables = readEnvFile(project.root, file)
    return urlsIn((name) => variables.get(name)).map((url) => ({ environment: file, url }))
  })
  const current = urlsIn((name) => env[name]).map((url) => ({ environment: "the environment", url }))
  const local = {
    environment: "development",
    base: `http://localhost:${portOf(project)}${basePath ?? project.framework.basePath}`,
  }
  const urls = [
    local,
    ...[...fromFiles, ...current].map(({ environment, url }) => ({
      environment,
      base: baseOf(url, basePath, project),
    })),
  ]
  const seen = new Set<string>()
  return urls.filter(({ base }) => !seen.has(base) && seen.add(base))
}

function urlsIn(read: (name: string) => string | undefined): string[] {
  const url = read("AUTH_URL") || read("NEXTAUTH_URL")
  const proxy = read("AUTH_REDIRECT_PROXY_URL")
  return [url, proxy].filter((one) => webUrl(one) !== undefined).map(String)
}

function baseOf(url: string, basePath: string | undefined, { framework }: Project): string {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, "")
  return origin + (basePath ?? (path === "" ? framework.basePath : path))
}

/** The base path in the code: the mount path in Express, the option `basePath`, or `basePath` of Next.js. */
export function writtenBasePath(project: Project, files: readonly ConfigurationFile[]): string | undefined {
  const { root, framework } = project
  const mount = framework.id === "express" ? mountOf(project)?.path : undefined
  if (mount !== undefined) return mount
  for (const { configurations } of files) {
    for (const { object } of configurations) {
      const option = propertyOf(object, "basePath")
      const path = option === undefined ? undefined : textOf(option.value)
      if (path !== undefined) return path.replace(/\/+$/, "")
    }
  }
  const path = framework.id === "next" ? nextBasePath(root) : undefined
  return path === undefined ? undefined : path + framework.basePath
}

/** The port of the development server: the script's `-p`, the variable PORT, or the framework's default. */
function portOf({ root, manifest, framework }: Project): number {
  const script = manifest.scripts?.["dev"] ?? manifest.scripts?.["start"] ?? ""
  const option = /(?:-p|--port)[= ](\d+)/.exec(script)?.[1] ?? /\bPORT=(\d+)/.exec(script)?.[1]
  const variable = developmentFiles
    .map((file) => readEnvFile(root, file).get("PORT"))
    .find((port) => port !== undefined)
  return Number(option ?? variable) || framework.port
}
