import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import fc from "fast-check"
import type { AuthConfig, SecurityMode } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { compile } from "../compile.js"
import { toAuthRequest } from "../../src/http/auth-request.js"
import { forward, newState } from "../../src/features/oauth/proxy.js"
import type { OAuthProvider } from "../../src/model/oauth-provider.js"
import { secret } from "../flows/oauth/app.js"
import { holds, patience } from "../fuzz/holds.js"

const redirectProxyUrl = "https://proxy.test/auth"
const host = fc.constantFrom(
  "a.preview.test",
  "b.preview.test",
  "evil.test",
  "preview.test",
  "a.preview.test.evil.test",
  "a.b.preview.test",
)
const origin = host.map((name) => `https://${name}`)
const pattern = fc.constantFrom(
  "https://a.preview.test",
  "https://*.preview.test",
  "b.preview.test",
  "http://*.preview.test",
  "https://*.test",
)
const patterns = fc.option(fc.array(pattern, { maxLength: 2 }), { nil: undefined })
const mode = fc.constantFrom<SecurityMode>("compatible", "strict")
const quiet = { error: () => {}, warn: () => {}, debug: () => {} }

/** The origins of this list, in plain words: one label for `*`, and https where there is no scheme. */
function names(list: readonly string[] = [], url: string): boolean {
  return list.some((entry) => {
    const whole = entry.includes("://") ? entry : `https://${entry}`
    return (
      whole === url || (whole.includes("*") && whole.replace("*", /^https?:\/\/([^.]*)/.exec(url)?.[1] ?? "") === url)
    )
  })
}

function site(url: string, security: SecurityMode, rest: Partial<AuthConfig>) {
  const op = {
    id: "op",
    name: "Op",
    type: "oidc",
    issuer: "https://op.test",
    clientId: "app",
    clientSecret: "x",
  } as const
  const given: AuthConfig = {
    secret,
    logger: quiet,
    adapter: memoryAdapter(),
    redirectProxyUrl,
    providers: [op],
    trustHost: true,
    security: { mode: security, listedOriginsOnly: false },
    ...rest,
  }
  const auth = compile(given)
  const request = (headers: Record<string, string> = {}) => {
    const at = new URL(`${url}/auth/callback/op`)
    const route = { action: "callback", providerId: "op" }
    return toAuthRequest(
      auth,
      { headers: new Headers(headers), origin: url },
      { url: at, method: "GET", route, body: {} },
    )
  }
  return { auth, provider: auth.providers.get("op") as OAuthProvider, request }
}

test(
  "a state with an origin is sealed only for an origin that is named",
  () =>
    holds(
      fc.asyncProperty(
        origin,
        patterns,
        patterns,
        mode,
        async (url, redirectProxyOrigins, deploymentOrigins, security) => {
          const { auth, provider, request } = site(url, security, { redirectProxyOrigins, deploymentOrigins })
          const sealing = newState(auth, provider, request())
          if (names(redirectProxyOrigins, url) || names(deploymentOrigins, url)) await sealing
          else await expect(sealing).rejects.toThrow("redirectProxyOrigins")
        },
      ),
      0.1,
    ),
  patience,
)

test(
  "a listed proxy sends codes to no other origin",
  () =>
    holds(
      fc.asyncProperty(origin, patterns, mode, async (url, redirectProxyOrigins, security) => {
        const preview = site(url, security, { url: `${url}/auth` })
        const state = await newState(preview.auth, preview.provider, preview.request())
        const proxy = site("https://proxy.test", security, { redirectProxyOrigins })
        const sending = forward(proxy.auth, proxy.provider, proxy.request(), { state, code: "c" })
        if (redirectProxyOrigins === undefined || names(redirectProxyOrigins, url)) {
          expect(await sending).toMatchObject({
            kind: "redirect",
            to: expect.stringContaining(`${url}/auth/callback/op?`),
          })
        } else await expect(sending).rejects.toThrow("doesn't serve")
      }),
      0.1,
    ),
  patience,
)

test("on Vercel, a domain of the project is named by the deployment that serves it", async () => {
  const deploymentOrigins = ["https://app-x1-team.vercel.app"]
  const { auth, provider, request } = site("https://staging.app.test", "compatible", { deploymentOrigins })
  const served = { "x-vercel-deployment-url": "app-x1-team.vercel.app" }
  expect(await newState(auth, provider, request(served))).toMatch(/^ey/)
  for (const headers of [
    {},
    { "x-vercel-deployment-url": "evil-team.vercel.app" },
    { "x-vercel-deployment-url": "" },
  ]) {
    await expect(newState(auth, provider, request(headers))).rejects.toThrow("redirectProxyOrigins")
  }
})

test("elsewhere, the header of Vercel names no deployment", async () => {
  for (const host of ["373f31e2.app.pages.dev", "deploy-preview-1--app.netlify.app", "pr.app.test", "vercel.app"]) {
    const deploymentOrigins = [`https://${host}`]
    const { auth, provider, request } = site("https://evil.test", "compatible", { deploymentOrigins })
    const sealing = newState(auth, provider, request({ "x-vercel-deployment-url": host }))
    await expect(sealing).rejects.toThrow("redirectProxyOrigins")
  }
})
