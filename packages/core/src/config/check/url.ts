import type { AuthConfig } from "../../model/config.js"
import { isPublicName } from "../../primitives/ip-address.js"
import { isSiteUrl, isWebUrl } from "../../primitives/web-url.js"
import { isProduction } from "../defaults.js"
import { bareHost } from "../env/variables.js"
import { invalid, type Problem, tolerable, type Warning } from "./problem.js"

const setUrl = "Set AUTH_URL to a URL such as https://app.example/auth"

/** Problems of `url`, which usually comes from AUTH_URL or NEXTAUTH_URL. */
export function* urlProblems({ url }: { readonly url?: unknown }): Generator<Problem> {
  if (url === undefined) return
  if (!isWebUrl(url)) {
    yield isBare(url)
      ? invalid("url", "The URL has no scheme", `Set AUTH_URL=${isLocal(url) ? "http" : "https"}://${url}`)
      : invalid("url", "The value isn't an http(s) URL", setUrl)
    return
  }
  const { username, password, search, hash } = new URL(url)
  if (!isSiteUrl(url)) yield invalid("url", "The URL has characters that no host has", setUrl)
  else if (username + password + search + hash !== "") {
    const unused = "The URL has a query, a fragment or a password, which isn't used"
    yield tolerable("url", unused, "Set AUTH_URL to the origin and the path of the auth routes only")
  }
}

function isBare(url: unknown): url is string {
  return typeof url === "string" && bareHost.test(url) && /^[\w.:/-]+$/.test(url)
}

function isLocal(host: string): boolean {
  return !isPublicName(host.replace(/[:/].*/, ""))
}

/** Browsers send insecure cookies over any network. Auth.js v5 serves such a site, and so does this. */
export function* urlWarnings(config: AuthConfig): Generator<Warning> {
  const { url } = config
  if (!isProduction(config) || !isWebUrl(url)) return
  const { protocol, hostname } = new URL(url)
  if (protocol !== "http:" || !isPublicName(hostname)) return
  const problem = `AUTH_URL is an http URL of a public site, so anyone on the network can read passwords and sessions`
  yield { code: "insecure-url", detail: `${problem}. Serve the site over https, and set AUTH_URL to its https URL` }
}
