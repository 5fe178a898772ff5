/** Environment variables. An empty one counts as unset. */
export type Env = Readonly<Record<string, string | undefined>>

/** Returns a variable, or `undefined` if it's unset or empty. */
export type ReadEnv = (name: string) => string | undefined

export function readerOf(env: Env): ReadEnv {
  return (name) => env[name] || undefined
}

/** The URL of this deployment. In next-auth 4, NEXTAUTH_URL may be a host without a scheme. */
export function urlFrom(read: ReadEnv): string | undefined {
  const url = read("AUTH_URL")
  if (url !== undefined) return url
  const former = read("NEXTAUTH_URL")
  return former !== undefined && bareHost.test(former) ? `https://${former}` : former
}

/** `app.example`, `app.example:8443/api/auth`, but no other scheme such as `ftp:`. */
export const bareHost: RegExp = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+)(?::\d+)?(?:\/|$)/i

/**
 * The default of `trustHost`. The proxies of Vercel and Cloudflare Pages set the forwarded headers themselves. A missing
 * NODE_ENV doesn't imply development.
 */
export function trustFrom(read: ReadEnv, url: string | undefined): boolean | readonly string[] {
  const text = read("AUTH_TRUST_HOST")
  if (text !== undefined) return parseTrust(text)
  if (url !== undefined || isPlatform(read)) return true
  const environment = read("NODE_ENV")
  return environment !== undefined && environment !== "production"
}

/** Vercel or Cloudflare Pages. */
export function isPlatform(read: ReadEnv): boolean {
  return isOn(read("VERCEL")) || isOn(read("CF_PAGES"))
}

/**
 * The default of `environment`. A value such as `staging` names a deployment too. Without NODE_ENV, a platform may tell.
 *
 * @returns `undefined` for tests and on a server that says nothing
 */
export function environmentFrom(read: ReadEnv): "development" | "production" | undefined {
  const given = read("NODE_ENV") ?? read("VERCEL_ENV") ?? netlifyContext(read)
  if (given === "development" || given === "dev") return "development"
  if (given === "test") return undefined
  return given !== undefined || isOn(read("CF_PAGES")) || isOn(read("DENO_DEPLOYMENT_ID")) ? "production" : undefined
}

/** Other platforms may have a variable `CONTEXT` with another meaning. */
function netlifyContext(read: ReadEnv): string | undefined {
  return isOn(read("NETLIFY")) ? read("CONTEXT") : undefined
}

/**
 * The origins of this deployment, from variables that the platform sets itself. Each project of Cloudflare Pages has a
 * domain of its own, and each of its deployments a name below it. The domain of Vercel is shared by all projects.
 */
export function deploymentOriginsFrom(read: ReadEnv): readonly string[] | undefined {
  const vercel = ["VERCEL_URL", "VERCEL_BRANCH_URL", "VERCEL_PROJECT_PRODUCTION_URL"].map(read)
  const netlify = ["DEPLOY_PRIME_URL", "DEPLOY_URL", "URL"].map(read)
  const named = [
    ...(isOn(read("VERCEL")) ? vercel.map((host) => host && `https://${host}`) : []),
    ...(isOn(read("NETLIFY")) ? netlify : []),
    ...(isOn(read("CF_PAGES")) ? [read("CF_PAGES_URL"), pagesProject(read("CF_PAGES_URL"))] : []),
  ]
  const origins = named.filter((origin) => origin !== undefined && URL.canParse(origin)).map(String)
  return origins.length === 0 ? undefined : [...new Set(origins)]
}

/** `https://*.project.pages.dev` for `https://<deployment>.project.pages.dev`. */
function pagesProject(url: string | undefined): string | undefined {
  const project = /^https:\/\/[\w-]+\.([\w-]+\.pages\.dev)\/?$/.exec(url ?? "")?.[1]
  return project === undefined ? undefined : `https://*.${project}`
}

const yes: ReadonlySet<string> = new Set(["true", "1", "yes", "on"])
const no: ReadonlySet<string> = new Set(["", "false", "0", "no", "off"])

/** Parses `true`, `false` and their synonyms, or hosts separated by commas. */
export function parseTrust(text: string): boolean | readonly string[] {
  const hosts = text
    .toLowerCase()
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "")
  const [first = "", ...rest] = hosts
  if (rest.length === 0 && (yes.has(first) || no.has(first))) return yes.has(first)
  return hosts
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !no.has(value.trim().toLowerCase())
}
