import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { maybe, record } from "./arbitraries.js"
import { createSubject, type Definition, outcomeOf, type Subject } from "./subject.js"

interface Args {
  readonly module: string
  readonly options?: Readonly<Record<string, unknown>>
}

const folder = fileURLToPath(new URL("../../node_modules/@auth/core/providers", import.meta.url))
const modules = readdirSync(folder)
  .filter((file) => file.endsWith(".js") && !["oauth.js", "provider-types.js"].includes(file))
  .map((file) => file.slice(0, -3))

const args = record({
  module: fc.constantFrom(...modules),
  options: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 6,
      arbitrary: record({
        clientId: maybe("client"),
        clientSecret: maybe("secret"),
        issuer: maybe("https://issuer.test", "https://issuer.test/", "https://issuer.test/x"),
        id: maybe("own"),
        name: maybe("Own"),
        checks: maybe(["state"]),
        authorization: maybe<unknown>("https://own.test/authorize", { params: { scope: "own" } }),
        baseUrl: maybe("https://base.test"),
        enterprise: maybe({ baseUrl: "https://base.test" }),
        apiKey: maybe("key"),
        from: maybe("own@a.test"),
        server: maybe("smtp://a.test"),
        maxAge: maybe(60),
        style: maybe({ logo: "/own.svg" }),
        scope: maybe("own"),
      }),
    },
  ),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Args>

function calling(
  load: (module: string) => Promise<{ readonly default: (options?: object) => object }>,
): Definition<Args>["ours"] {
  return ({ module, options }) => outcomeOf(async () => (await load(module)).default(options))
}

/** Providers that next-auth gives values that can't work, or whose endpoint is an object with only a URL. */
const rewritten: ReadonlySet<string> = new Set([
  "boxyhq-saml",
  "dribbble",
  "netsuite",
  "notion",
  "strava",
  "todoist",
  "wechat",
])

function isMended(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs !== "string") return false
  if (theirs.startsWith("undefined")) return ours === undefined
  const added = String(ours).replace(/[?&]scope=openid%20profile%20email$/, "")
  return withSlash(theirs) === withSlash(added)
}

function withSlash(url: string): string {
  return url.replace(/(?<=\.test(?:\/x)?)\/*(?=oauth|sso)/, "/").replaceAll(/(?<!:)\/{2,}/g, "/")
}

function hasFunction(endpoint: unknown): boolean {
  return JSON.stringify(endpoint).includes("<function>")
}

export const providers: Subject = createSubject<Args>({
  name: "providers",
  args,
  theirs: calling((module) => import(`../../node_modules/@auth/core/providers/${module}.js`)),
  ours: calling((module) => import(`@latchkey/core/providers/${module}`)),
  rows: {
    "provider-without-options": (pair, { options }) =>
      options === undefined && ["result", "result.options"].includes(pair.where),
    "provider-style": ({ where }) => where.startsWith("result.style"),
    "provider-fields": ({ where, theirs }, { module }) =>
      theirs === undefined ||
      where.startsWith("result.Symbol(") ||
      (/^result\.(?:token|userinfo)/.test(where) &&
        (hasFunction(theirs) || ["medium", "tiktok", "bungie"].includes(module))),
    "provider-options-copied": ({ where, ours }) =>
      ours === undefined &&
      /^result\.(?:clientId|clientSecret|apiKey|from|headers|transactionalId|issuer|authorization\.params\.client_id)$/.test(
        where,
      ),
    "provider-email-defaults": ({ where }) => /^result\.(?:maxAge|from|server)/.test(where),
    "provider-endpoints": ({ where, theirs, ours }, { module }) =>
      /^result\.(?:authorization|token|userinfo|wellKnown)/.test(where) &&
      (isMended(theirs, ours) || rewritten.has(module)),
  },
})
