import { reasonOf } from "../failure.js"
import { type Finding, ok, problem, skipped, warning } from "./finding.js"
import { aheadOf } from "./clock.js"
import { cookieFaults, cookieName } from "./cookies.js"
import { clockFinding } from "./inspected.js"

export interface Site {
  /** The URL of the routes, without a trailing slash. */
  readonly base: string
  /** Milliseconds. */
  readonly timeout: number
  /** The ids of the providers in the local configuration, if known. */
  readonly expected: readonly string[] | undefined
}

/** Checks a running site by sending requests to it. */
export async function siteFindings(site: Site): Promise<Finding[]> {
  let answer: Response
  try {
    answer = await ask(site, "providers")
  } catch (error) {
    return [
      problem("site", `${site.base} doesn't respond: ${reasonOf(error)}`, "Start the application, or check the URL"),
    ]
  }
  const providers = await providersIn(answer)
  if (providers === undefined) {
    const fix = "Pass the URL with the base path, such as https://app.example/api/auth, and check that the route exists"
    return [
      problem("site", `${site.base}/providers responds with ${answer.status} and without a list of providers`, fix),
    ]
  }
  const ahead = aheadOf(answer)
  return [
    ok("site", `${site.base} responds, with ${providers.map(({ id }) => id).join(", ") || "no providers"}`),
    ...httpsFindings(site),
    ...originFindings(site, providers),
    ...differenceFindings(site, providers),
    ...(await cookieFindings(site)),
    ...(await headerFindings(site)),
    ...(providers.length === 0 ? [hiddenOrigin] : await forwardedFindings(site)),
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
  const body: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
  const providers: unknown[] = Object.values(body)
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
  if (new URL(site.base).protocol === "https:") return [ok("https", "used")]
  if (isLocal(site)) return []
  return [
    problem(
      "https",
      "The site doesn't use https",
      "Serve it over https. Over http, attackers can steal sessions, and many providers reject the redirect URI.",
    ),
  ]
}

/** The redirect URI must have the origin of the site. */
function originFindings({ base }: Site, providers: readonly SiteProvider[]): Finding[] {
  const wrong = providers.find(({ callbackUrl }) => !callbackUrl.startsWith(`${base}/callback/`))
  if (wrong === undefined) return []
  const words = `The site sends the redirect URI ${wrong.callbackUrl}, but its URL is ${base}`
  return [
    problem(
      "origin",
      words,
      `Set AUTH_URL=${base}, or have the proxy send X-Forwarded-Host and X-Forwarded-Proto and trust it with AUTH_TRUST_HOST`,
    ),
  ]
}

function differenceFindings({ expected }: Site, providers: readonly SiteProvider[]): Finding[] {
  if (expected === undefined) return []
  const deployed = providers.map(({ id }) => id)
  const missing = expected.filter((id) => !deployed.includes(id))
  return missing.length === 0
    ? []
    : [
        warning(
          "site",
          `The site lacks ${missing.join(", ")}, which the local configuration has`,
          "Deploy again, and set the variables there",
        ),
      ]
}

async function cookieFindings(site: Site): Promise<Finding[]> {
  const answer = await ask(site, "csrf")
  const cookies = answer.headers.getSetCookie()
  const isHttps = new URL(site.base).protocol === "https:"
  // Some frameworks, such as Qwik, check the sender of a form instead of a token.
  if (cookies.length === 0 && answer.status === 404)
    return [skipped("cookies", "not checked, because the site has no CSRF token")]
  if (cookies.length === 0)
    return [
      problem(
        "cookies",
        "The CSRF route sets no cookie",
        "Check whether a proxy or a cache removes Set-Cookie. Without it, users can't sign in.",
      ),
    ]
  const faults = cookies.flatMap((cookie) => cookieFaults(cookie, isHttps))
  const cache = answer.headers.get("cache-control") ?? ""
  return [
    ...faults.map((fault) =>
      problem("cookies", fault, "Check `cookies` in the configuration, and any proxy that rewrites Set-Cookie"),
    ),
    ...(faults.length === 0
      ? [ok("cookies", `${cookies.map(cookieName).join(", ")}: attributes and prefixes are correct`)]
      : []),
    ...(/no-store|private/.test(cache)
      ? []
      : [
          warning(
            "cache",
            `The CSRF route has Cache-Control "${cache}"`,
            "Remove the setting that lets caches store it. The response contains a token of one browser.",
          ),
        ]),
  ]
}

async function headerFindings(site: Site): Promise<Finding[]> {
  const answer = await ask(site, "signin")
  await answer.body?.cancel()
  // The application has its own sign-in page, with its own headers.
  if (answer.status !== 200) return []
  const missing = ["content-security-policy", "x-content-type-options"].filter((name) => !answer.headers.has(name))
  return missing.length === 0
    ? [ok("headers", "the sign-in page has the security headers")]
    : [warning("headers", `The sign-in page lacks ${missing.join(", ")}`, "Check whether a proxy removes them")]
}

const hiddenOrigin = skipped("proxy headers", "not checked, because the site has no provider that shows its URL")

/** Clients can send these headers, too. Either a proxy overwrites them, or the site must ignore them. */
async function forwardedFindings(site: Site): Promise<Finding[]> {
  const forged = "latchkey-doctor.invalid"
  const answer = await ask(site, "providers", { "x-forwarded-host": forged, "x-forwarded-proto": "https" })
  const isTrusted =
    (await providersIn(answer))?.some(({ callbackUrl }) => new URL(callbackUrl).host === forged) === true
  if (!isTrusted) return [ok("proxy headers", "a forged X-Forwarded-Host is ignored or refused")]
  if (isLocal(site)) return [ok("proxy headers", "trusted from every client, which is fine in development only")]
  return [
    problem(
      "proxy headers",
      "The site trusts X-Forwarded-Host from every client, so attackers can point links and redirect URIs to their host",
      "Set AUTH_URL, or name the hosts in AUTH_TRUST_HOST, and have the proxy overwrite this header",
    ),
  ]
}
