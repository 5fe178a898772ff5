import { reasonOf } from "../failure.js"
import { type Finding, ok, problem, warning } from "./finding.js"
import { aheadOf } from "./clock.js"
import { cookieFaults, cookieName } from "./cookies.js"
import { clockFinding } from "./inspected.js"

export interface Site {
  /** Address of the routes, without a slash at the end. */
  readonly base: string
  /** Milliseconds. */
  readonly timeout: number
  /** Ids of the configuration here, if it is known. */
  readonly expected: readonly string[] | undefined
}

/** Looks at a running site as a browser sees it. */
export async function siteFindings(site: Site): Promise<Finding[]> {
  let answer: Response
  try {
    answer = await ask(site, "providers")
  } catch (error) {
    return [
      problem(
        "site",
        `${site.base} does not answer: ${reasonOf(error)}`,
        "Start the application, or correct the address",
      ),
    ]
  }
  const providers = await providersIn(answer)
  if (providers === undefined) {
    const fix =
      "Give the address with the base path, as in https://app.example/api/auth, and check that the route is there"
    return [problem("site", `${site.base}/providers answers ${answer.status}, and not with a list of providers`, fix)]
  }
  const ahead = aheadOf(answer)
  return [
    ok("site", `${site.base} answers, with ${providers.map(({ id }) => id).join(", ") || "no providers"}`),
    ...httpsFindings(site),
    ...originFindings(site, providers),
    ...differenceFindings(site, providers),
    ...(await cookieFindings(site)),
    ...(await headerFindings(site)),
    ...(await forwardedFindings(site)),
    ...(ahead === undefined ? [] : [clockFinding(ahead, new URL(site.base).host)]),
  ]
}

function ask({ base, timeout }: Site, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${base}/${path}`, { headers, redirect: "manual", signal: AbortSignal.timeout(timeout) })
}

interface SiteProvider {
  readonly id: string
  readonly callbackUrl: string
}

async function providersIn(answer: Response): Promise<SiteProvider[] | undefined> {
  const told: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined
  if (typeof told !== "object" || told === null || Array.isArray(told)) return undefined
  const providers: unknown[] = Object.values(told)
  return providers.every(isProvider) ? providers : undefined
}

function isProvider(value: unknown): value is SiteProvider {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "callbackUrl" in value &&
    typeof value.callbackUrl === "string"
  )
}

function isLocal({ base }: Site): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(new URL(base).hostname)
}

function httpsFindings(site: Site): Finding[] {
  if (new URL(site.base).protocol === "https:") return [ok("https", "is used")]
  if (isLocal(site)) return []
  return [
    problem(
      "https",
      "The site is served without encryption",
      "Serve it over https: sessions can be stolen on the way, and many providers refuse the callback",
    ),
  ]
}

/** The address that providers would be told must be the one that people use. */
function originFindings({ base }: Site, providers: readonly SiteProvider[]): Finding[] {
  const wrong = providers.find(({ callbackUrl }) => !callbackUrl.startsWith(`${base}/callback/`))
  if (wrong === undefined) return []
  const words = `The site takes ${wrong.callbackUrl} for its callback, and was asked at ${base}`
  return [
    problem(
      "origin",
      words,
      `Set AUTH_URL=${base}, or let the proxy in front send X-Forwarded-Host and X-Forwarded-Proto and trust it (AUTH_TRUST_HOST)`,
    ),
  ]
}

function differenceFindings({ expected }: Site, providers: readonly SiteProvider[]): Finding[] {
  if (expected === undefined) return []
  const there = providers.map(({ id }) => id)
  const missing = expected.filter((id) => !there.includes(id))
  return missing.length === 0
    ? []
    : [
        warning(
          "site",
          `It does not have ${missing.join(", ")}, which the configuration here has`,
          "Deploy it again, and set the variables there",
        ),
      ]
}

async function cookieFindings(site: Site): Promise<Finding[]> {
  const answer = await ask(site, "csrf")
  const cookies = answer.headers.getSetCookie()
  const isHttps = new URL(site.base).protocol === "https:"
  if (cookies.length === 0)
    return [
      problem(
        "cookies",
        "The CSRF route sets no cookie",
        "Look whether a proxy or a cache takes Set-Cookie away: nobody can sign in without it",
      ),
    ]
  const faults = cookies.flatMap((cookie) => cookieFaults(cookie, isHttps))
  const cache = answer.headers.get("cache-control") ?? ""
  return [
    ...faults.map((fault) =>
      problem("cookies", fault, "Look at `cookies` in the configuration, and at a proxy that rewrites Set-Cookie"),
    ),
    ...(faults.length === 0
      ? [ok("cookies", `${cookies.map(cookieName).join(", ")}: attributes and prefixes are right`)]
      : []),
    ...(/no-store|private/.test(cache)
      ? []
      : [
          warning(
            "cache",
            `The CSRF route is answered with Cache-Control "${cache}"`,
            "Take away what lets caches keep it: it holds a token of one person",
          ),
        ]),
  ]
}

async function headerFindings(site: Site): Promise<Finding[]> {
  const answer = await ask(site, "signin")
  await answer.body?.cancel()
  // A page of the application's own has headers of its own.
  if (answer.status !== 200) return []
  const missing = ["content-security-policy", "x-content-type-options"].filter((name) => !answer.headers.has(name))
  return missing.length === 0
    ? [ok("headers", "the sign-in page has its security headers")]
    : [
        warning(
          "headers",
          `The sign-in page comes without ${missing.join(", ")}`,
          "Look whether a proxy takes them away",
        ),
      ]
}

/** Anybody can send these headers: a proxy must overwrite them, or the site must not believe them. */
async function forwardedFindings(site: Site): Promise<Finding[]> {
  const forged = "latchkey-doctor.invalid"
  const answer = await ask(site, "providers", { "x-forwarded-host": forged, "x-forwarded-proto": "https" })
  const believed = (await providersIn(answer))?.some(({ callbackUrl }) => new URL(callbackUrl).host === forged) === true
  if (!believed) return [ok("proxy headers", "a forged X-Forwarded-Host is not believed")]
  if (isLocal(site)) return [ok("proxy headers", "are believed from anybody, as it should be only in development")]
  return [
    problem(
      "proxy headers",
      "The site believes X-Forwarded-Host from anybody: links and callbacks can be turned to another host",
      "Set AUTH_URL, or name the hosts in AUTH_TRUST_HOST, and let the proxy overwrite that header",
    ),
  ]
}
