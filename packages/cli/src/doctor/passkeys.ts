import { installedAt, type Installed, usesPlugAndPlay } from "../project/installed.js"
import { passkeyLibrary, passkeyLibraryRange, passkeyLibraryVersions } from "../project/passkey-library.js"
import { installCommand, majorIn, type Project, rangesOf } from "../project/project.js"
import { type Finding, ok, problem, skipped, warning } from "./finding.js"
import type { InspectedPasskey } from "./job.js"

/** Requests a document, for the sites that passkeys belong to. */
export interface Network {
  readonly offline: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** The sites that passkeys belong to, with one finding for each origin. */
export async function siteFindings(passkeys: readonly InspectedPasskey[], network: Network): Promise<Finding[]> {
  const sites = passkeys.flatMap(({ id, domain, origins }) => origins.map((origin) => ({ id, domain, origin })))
  return Promise.all(sites.map((site) => siteFinding(site, network)))
}

/**
 * The library that checks passkeys, which the application installs itself.
 *
 * @param isStrict whether the configuration has `security: "strict"`
 */
export function libraryFinding(project: Project, isStrict: boolean): Finding {
  const installed = installedAt(project.root, passkeyLibrary)
  if (installed !== undefined) return installedFinding(installed, isStrict)
  const isListed = rangesOf(project.manifest)[passkeyLibrary] !== undefined
  if (isListed && usesPlugAndPlay(project.root))
    return skipped("passkeys", `${passkeyLibrary} is in package.json; Plug'n'Play wasn't read`)
  const place = isListed ? "is in package.json but isn't installed" : "isn't in package.json"
  const fix = isListed ? `Run \`${installCommand(project)}\`` : `Run \`npx latchkey add passkey\`, or add it yourself`
  return problem("passkeys", `${passkeyLibrary}, which checks passkeys, ${place}`, fix)
}

function installedFinding({ version }: Installed, isStrict: boolean): Finding {
  const { oldest, newest } = passkeyLibraryVersions()
  const major = majorIn(version) ?? newest
  const fix = `Set \`"${passkeyLibrary}": "${passkeyLibraryRange()}"\` in package.json, and install it`
  if (major < oldest || major > newest)
    return problem("passkeys", `Latchkey works with ${passkeyLibrary} ${oldest} to ${newest}, not with ${version}`, fix)
  if (major < newest) {
    const words = `${passkeyLibrary} ${version} is older than ${newest}, which \`security: "strict"\` requires`
    return isStrict ? problem("passkeys", words, fix) : warning("passkeys", words, fix)
  }
  return ok("passkeys", `${passkeyLibrary} ${version}`)
}

interface Site {
  /** The id of the provider. */
  readonly id: string
  readonly domain: string
  readonly origin: string
}

async function siteFinding(site: Site, network: Network): Promise<Finding> {
  const { id, domain, origin } = site
  const check = `passkeys ${id}`
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url === undefined || url.origin !== origin) {
    const example = url === undefined ? "https://app.example" : url.origin
    return problem(check, `"${origin}" isn't an origin`, `Set \`relayingParty.origin\` to a value such as "${example}"`)
  }
  if (isDomain(domain)) return originFinding(check, domain, url, network)
  const fix = isAddress(domain)
    ? "Use a domain, or localhost in development"
    : `Set \`relayingParty.id\` to a domain such as "${url.hostname}", without scheme and port`
  return problem(check, `The relying party ID "${domain}" isn't a domain, so browsers refuse passkeys`, fix)
}

/** Browsers refuse passkeys without https, and for other domains (WebAuthn Level 3 §5.1.3). */
async function originFinding(check: string, domain: string, url: URL, network: Network): Promise<Finding> {
  const { protocol, hostname, origin } = url
  if (protocol !== "https:" && !isLocal(hostname))
    return problem(
      check,
      `Browsers offer no passkeys on ${origin}, because it isn't https`,
      "Serve the site over https",
    )
  const isOwn = hostname === domain || hostname.endsWith(`.${domain}`)
  if (!isOwn) return relatedFinding(check, domain, origin, network)
  return ok(check, `passkeys belong to ${domain}, and are used on ${origin}`)
}

/** The relying party lists the other origins that its passkeys are used on (WebAuthn Level 3 §5.11). */
async function relatedFinding(check: string, domain: string, origin: string, network: Network): Promise<Finding> {
  const list = `https://${domain}/.well-known/webauthn`
  const words = `The relying party ID ${domain} is neither the domain of ${origin} nor above it`
  if (network.offline) return skipped(check, `${words}, and ${list} wasn't requested (--offline)`)
  if (await lists(list, origin, network.timeout)) return ok(check, `${list} lists ${origin}`)
  return problem(check, `${words}, and ${list} doesn't list it`, "List the origin there, or set `relayingParty.id`")
}

async function lists(url: string, origin: string, timeout: number): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeout) })
    const body: unknown = await answer.json()
    const isList = answer.ok && typeof body === "object" && body !== null && "origins" in body
    return isList && Array.isArray(body.origins) && body.origins.includes(origin)
  } catch {
    return false
  }
}

function isDomain(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(text) && !isAddress(text)
}

function isAddress(host: string): boolean {
  return /^\d+(?:\.\d+){3}$/.test(host) || host.startsWith("[")
}

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}
