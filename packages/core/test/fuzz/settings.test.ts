import fc from "fast-check"
import { expect, test } from "vitest"
import { Auth, createActionURL, setEnvDefaults, withEnv } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import type { AuthConfig, Provider } from "@latchkey/core/types"
import { compile } from "../compile.js"
import { address, host } from "./addresses.js"
import { holds, patience, thrownBy } from "./holds.js"
import { headerText, mutated, nasty } from "./text.js"

const words = fc.oneof(
  address,
  host,
  nasty,
  mutated(fc.constantFrom("https://app.test/auth", "true", "app.test, *.app.test", "production", "development")),
  fc.constantFrom("1", "true", "false", "no", "development", "production", "https://app.test/x"),
)
const names = [
  "AUTH_URL",
  "NEXTAUTH_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_1",
  "NEXTAUTH_SECRET",
  "AUTH_TRUST_HOST",
  "AUTH_REDIRECT_PROXY_URL",
  "NODE_ENV",
  "VERCEL",
  "CF_PAGES",
  "AUTH_GITHUB_ID",
  "AUTH_GITHUB_SECRET",
  "AUTH_GITHUB_ISSUER",
]
const anything = fc.record(Object.fromEntries(names.map((name) => [name, words])), { requiredKeys: [] })
const complete: Readonly<Record<string, string>> = {
  AUTH_SECRET: "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs",
  AUTH_URL: "https://app.test/auth",
  AUTH_GITHUB_ID: "client",
  AUTH_GITHUB_SECRET: "secret",
  AUTH_GITHUB_ISSUER: "https://op.test",
  AUTH_OTHER_ID: "client",
  AUTH_OTHER_SECRET: "secret",
  AUTH_OTHER_ISSUER: "https://op.test",
}
/** Every value is invalid, or only one or two of them. */
const environment = fc.oneof(
  anything,
  fc
    .array(fc.tuple(fc.constantFrom(...names), words), { minLength: 1, maxLength: 2 })
    .map((odd): Partial<Record<string, string>> => ({ ...complete, ...Object.fromEntries(odd) })),
)
const silent = { error: () => {}, warn: () => {}, debug: () => {} }
/** Only the type of a value is fixed. */
const github = { id: "github", name: "GitHub", type: "oidc" } as const
const providers: Provider[] = [github, (options) => Object.assign({}, github, { id: "other" }, options)]

test(
  "any environment gives a configuration or a typed error",
  () =>
    holds(
      fc.asyncProperty(environment, async (env) => {
        const config = withEnv({ providers, logger: silent }, env)
        const cause = await thrownBy(() => compile(config))
        if (cause !== undefined && !(cause instanceof AuthError)) throw cause
        setEnvDefaults(env, { providers: [...providers], logger: silent })
        for (const path of ["session", "signin", "providers"]) {
          const response = await Auth(
            new Request(`https://app.test${config.basePath ?? "/auth"}/${path}`.replaceAll("\\", "/")),
            config,
          )
          expect([200, 400, 404, 500]).toContain(response.status)
        }
      }),
      0.2,
    ),
  patience,
)

const requests = fc.record(
  { host, "x-forwarded-host": host, "x-forwarded-proto": fc.oneof(fc.constant("https"), nasty) },
  { requiredKeys: [] },
)
const options = fc.record(
  {
    basePath: fc.oneof(nasty, fc.constantFrom("/auth", "//evil.test", "\\\\evil.test", "..")),
    trustHost: fc.constantFrom(true, false, ["app.test"]),
  },
  { requiredKeys: [] },
)

test(
  "the URL of an action is on the configured or requested site, or a typed error is thrown",
  () =>
    holds(
      fc.asyncProperty(
        requests,
        environment,
        options,
        fc.oneof(fc.constantFrom("https:", "http", undefined), nasty),
        async (given, env, more, protocol) => {
          const headers = new Headers(Object.entries(given).map(([name, value]) => [name, headerText(value)]))
          const config: Partial<AuthConfig> = { ...more, logger: silent }
          const cause = await thrownBy(() => {
            const url = createActionURL("session", protocol, headers, env, config)
            expect(["http:", "https:"]).toContain(url.protocol)
            expect([url.username, url.password]).toEqual(["", ""])
            expect(
              url.pathname.endsWith("/session") || (config.basePath ?? "").length > 0 || env["AUTH_URL"] !== undefined,
            ).toBe(true)
            expect(originsOf(given, env)).toContain(url.host)
          })
          if (cause !== undefined && !(cause instanceof AuthError)) throw cause
        },
      ),
    ),
  patience,
)

/** Hosts from the configuration or the request. */
function originsOf(
  headers: Readonly<Record<string, string>>,
  { AUTH_URL, NEXTAUTH_URL }: Readonly<Partial<Record<string, string>>>,
): readonly string[] {
  const withScheme = `https://${NEXTAUTH_URL ?? ""}`
  const fixed = [AUTH_URL, NEXTAUTH_URL, withScheme].flatMap((text) =>
    text !== undefined && URL.canParse(text) ? new URL(text).host : [],
  )
  const asked = Object.values(headers)
    .flatMap((value) => [headerText(value), ...headerText(value).split(",")])
    .flatMap((name) => ["https", "http"].map((scheme) => `${scheme}://${name.trim()}`))
  return [...fixed, ...asked.filter((text) => URL.canParse(text)).map((text) => new URL(text).host)]
}
