// The URLs that both libraries make from the variables and the base path: those of the routes, the redirect URI, and the target of
// a callback that a redirect proxy forwards.
import * as authjs from "@auth/core"
import * as latchkey from "@latchkey/core"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"

interface Library {
  readonly Auth: (request: Request, config: never) => Promise<Response>
  readonly setEnvDefaults: (env: object, config: never) => void
  readonly skipCSRFCheck: symbol
  readonly customFetch: symbol
}

interface Deployment {
  readonly env: Readonly<Record<string, string>>
  readonly basePath?: string
}

/** Sends a request as an application that calls `setEnvDefaults` and `Auth` itself. */
function opener(library: Library, op: FakeProvider) {
  const { issuer, clientId, clientSecret, fetch } = op
  const client = { clientId, clientSecret, [library.customFetch]: fetch }
  return ({ env, basePath }: Deployment) => {
    const config = {
      ...(basePath !== undefined && { basePath }),
      providers: [{ id: "op", name: "Provider", type: "oidc", issuer, checks: ["pkce", "state"], ...client }],
      skipCSRFCheck: library.skipCSRFCheck,
      logger: { error: () => undefined, warn: () => undefined },
    }
    library.setEnvDefaults({ AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", ...env }, config as never)
    const send = (path: string, init?: RequestInit) => library.Auth(new Request(path, init), config as never)
    return { send, path: String(Reflect.get(config, "basePath")).replace(/\/$/, "") }
  }
}

const origin = "https://app.test"
const proxy = "https://proxy.test"

async function urlsOf(library: Library, op: FakeProvider, deployment: Deployment) {
  const { send, path } = opener(library, op)(deployment)
  const listed = await send(`${origin}${path}/providers`)
  const { op: routes } = (await listed.json()) as Record<string, { signinUrl: string; callbackUrl: string }>
  const body = new URLSearchParams()
  const begun = await send(`${origin}${path}/signin/op`, { method: "POST", body })
  const { searchParams } = new URL(begun.headers.get("location") ?? "", origin)
  const state = searchParams.get("state") ?? ""
  const { AUTH_REDIRECT_PROXY_URL: proxied } = deployment.env
  if (proxied === undefined) return { routes, redirectUri: searchParams.get("redirect_uri") }
  const atProxy = opener(library, op)({ env: { ...deployment.env, AUTH_URL: proxied } })
  const query = new URLSearchParams({ state, code: "a code", iss: op.issuer })
  const forwarded = await atProxy.send(`${searchParams.get("redirect_uri")}?${query}`)
  const target = new URL(forwarded.headers.get("location") ?? "", proxy)
  return { routes, redirectUri: searchParams.get("redirect_uri"), forwarded: target.href.replace(state, "<state>") }
}

const addresses = [origin, `${origin}/`, `${origin}/auth`, `${origin}/auth/`, `${origin}/api/auth`]
const basePaths = [undefined, "/auth", "/auth/", "/x/y", "/"]
const proxies = [undefined, `${proxy}/auth`, `${proxy}/auth/`]

/** The row `slashes-in-paths`. */
function withOneSlash(urls: unknown): unknown {
  return JSON.parse(JSON.stringify(urls).replaceAll(/(?<!:)\/\/+/g, "/"))
}

describe.each(proxies)("AUTH_REDIRECT_PROXY_URL=%s", (redirectProxyUrl) => {
  describe.each(addresses)("AUTH_URL=%s", (url) => {
    test.each(basePaths)("the URLs are those of next-auth, with one slash: basePath %s", async (basePath) => {
      const op = createProvider()
      const env = {
        NODE_ENV: "production",
        AUTH_TRUST_HOST: "true",
        AUTH_URL: url,
        ...(redirectProxyUrl !== undefined && { AUTH_REDIRECT_PROXY_URL: redirectProxyUrl }),
      }
      const deployment = { env, ...(basePath !== undefined && { basePath }) }
      const theirs = await urlsOf(authjs, op, deployment)
      const ours = await urlsOf(latchkey as unknown as Library, op, deployment)
      expect(ours).toEqual(withOneSlash(theirs))
    })
  })
})
