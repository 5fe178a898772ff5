import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { maybe, record } from "./arbitraries.js"
import { createSubject, type Definition, outcomeOf, type Pair, type Subject } from "./subject.js"

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

/** Fields that only the engine of Latchkey needs. */
const ourFields = [
  "client",
  "deprecated",
  "issuer",
  "issuerFor",
  "makeClientSecret",
  "mergeCallback",
  "sendAccountEmail",
  "simpleWebAuthn.Symbol(@latchkey/core/installed-library)",
  "Symbol(provider-origin)",
  "tokens",
  "trustedAudiences",
].map((field) => `result.${field}`)

/** Fields that only the engine of next-auth needs. */
const theirFields = ["Symbol(conform-internal)", "Symbol(custom-fetch)"].map((field) => `result.${field}`)

function isFunctionOfEndpoint({ where, theirs, ours }: Pair, { module }: Args): boolean {
  const isFunction = theirs === "<function>" || ours === "<function>"
  if (/^result\.token\.(?:body|request)$/.test(where)) return isFunction
  const hasFunction = JSON.stringify([theirs, ours]).includes("<function>")
  if (!/^result\.(?:token|userinfo)$/.test(where) || !hasFunction) return false
  const [url, ownUrl] = [urlOf(theirs), urlOf(ours)]
  // The function of next-auth may have the URL, and that of Latchkey completes the one of Bungie.
  return url === undefined || url === ownUrl || isMended(url, ownUrl) || module === "bungie"
}

function urlOf(endpoint: unknown): unknown {
  return Object(endpoint) === endpoint ? Reflect.get(Object(endpoint), "url") : endpoint
}

const addedScope = "openid profile email"

/** What one provider has, by place. */
const single: Readonly<Record<string, readonly [theirs: unknown, ours: unknown]>> = {
  "dribbble result.authorization.params.scope": [undefined, "public"],
  "netsuite result.authorization.params.scope": ["restlets rest_webservices", "own"],
  "notion result.authorization.params.response_type": ["code", undefined],
  "wechat result.authorization.url": [
    "https://open.weixin.qq.com/connect/oauth2/authorize",
    "https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect",
  ],
}

function isEndpoint({ where, theirs, ours }: Pair, { module }: Args): boolean {
  const [before, after] = single[`${module} ${where}`] ?? []
  if (before !== after) return theirs === before && ours === after
  if (where === "result.authorization.params.scope") return theirs === undefined && ours === addedScope
  const isPlain = Object(theirs) !== theirs || Object.keys(Object(theirs)).join() === "url"
  return (
    /^result\.(?:authorization|token|userinfo|wellKnown)(?:\.url)?$/.test(where) &&
    isPlain &&
    isMended(urlOf(theirs), ours)
  )
}

function isMended(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs !== "string") return false
  if (theirs.startsWith("undefined")) return ours === undefined
  const mended = withSlash(theirs).replace("//undefined.", "//account.")
  return (
    ours === mended || ours === `${mended}${mended.includes("?") ? "&" : "?"}scope=${encodeURIComponent(addedScope)}`
  )
}

function withSlash(url: string): string {
  return url.replace(/(?<=\.test(?:\/x)?)\/*(?=oauth|sso)/, "/").replaceAll(/(?<!:)\/{2,}/g, "/")
}

export const providers: Subject = createSubject<Args>({
  name: "providers",
  args,
  theirs: calling((module) => import(`../../node_modules/@auth/core/providers/${module}.js`)),
  ours: calling((module) => import(`@latchkey/core/providers/${module}`)),
  rows: {
    "provider-without-options": (pair, { options }) =>
      options === undefined && ["result", "result.options"].includes(pair.where),
    "mail-server-later": ({ where, theirs }, { module, options }) =>
      where === "result" &&
      theirs === "<throws>" &&
      (module === "email" || module === "nodemailer") &&
      options?.["server"] === undefined,
    "provider-style": ({ where }) => where.startsWith("result.style"),
    "provider-fields": (pair, of) =>
      (pair.theirs === undefined && ourFields.includes(pair.where)) ||
      (pair.ours === undefined && theirFields.includes(pair.where)) ||
      isFunctionOfEndpoint(pair, of),
    "provider-options-copied": ({ where, theirs, ours }, { module }) =>
      (ours === undefined &&
        /^result\.(?:clientId|clientSecret|apiKey|from|headers|transactionalId|issuer|authorization\.params\.client_id)$/.test(
          where,
        )) ||
      (module === "mattermost" && where === "result.options.issuer" && theirs === undefined),
    "provider-email-defaults": ({ where }) => /^result\.(?:maxAge|from|server)/.test(where),
    "provider-endpoints": isEndpoint,
  },
})
