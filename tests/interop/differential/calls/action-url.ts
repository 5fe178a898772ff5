import * as authjs from "@auth/core"
import * as latchkey from "@latchkey/core"
import fc from "fast-check"
import { maybe, record } from "./arbitraries.js"
import { sameButSlashes, sameCodes } from "./rows.js"
import { createSubject, type Definition, outcomeOf, type Subject, threw } from "./subject.js"

interface Args {
  readonly action: "session" | "signin"
  readonly protocol?: string
  readonly headers: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly config?: { readonly basePath?: string; readonly trustHost?: boolean }
}

const urls = [
  "https://a.test",
  "https://a.test/",
  "https://a.test/auth",
  "https://a.test/auth/",
  "http://a.test:3000/x/y",
]

const args = record({
  action: fc.constantFrom("session", "signin"),
  protocol: maybe("http", "https", "http:", "https:"),
  headers: record({
    host: maybe("app.test", "localhost:3000"),
    "x-forwarded-host": maybe("public.test", "public.test:8443", "a.test, b.test"),
    "x-forwarded-proto": maybe("https", "http", "https,http"),
  }),
  env: record({
    AUTH_URL: maybe(...urls, "not a url", "ftp://a.test"),
    NEXTAUTH_URL: maybe(...urls, "a.test"),
    AUTH_TRUST_HOST: maybe("true", "false"),
    NODE_ENV: maybe("production", "development"),
    VERCEL: maybe("1"),
  }),
  config: fc.oneof(
    fc.constant(undefined),
    record({ basePath: maybe("/auth", "/api/auth", "auth", "/auth/", "/", "/x/y"), trustHost: maybe(true, false) }),
  ),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Args>

type Create = (action: never, protocol: never, headers: Headers, env: object, config: never) => URL

function calling(create: Create): Definition<Args>["ours"] {
  return ({ action, protocol, headers, env, config }) =>
    outcomeOf((logger) => {
      const given = config && { ...config, logger }
      return create(action as never, protocol as never, new Headers(headers), env, given as never).href
    })
}

function urlIn(env: Args["env"]): string | undefined {
  return env["AUTH_URL"] ?? env["NEXTAUTH_URL"]
}

function haveSamePath(url = "", basePath = ""): boolean {
  return URL.canParse(url) && segmentsOf(new URL(url).pathname) === segmentsOf(basePath)
}

function segmentsOf(path: string): string {
  return path.replaceAll(/^\/|\/$/g, "")
}

function isTrusting(env: Args["env"], config: Args["config"]): boolean {
  if (config?.trustHost !== undefined) return config.trustHost
  const { AUTH_TRUST_HOST: text, VERCEL: vercel, NODE_ENV: mode } = env
  return text === undefined ? vercel !== undefined || mode === "development" : text === "true"
}

export const createActionURL: Subject = createSubject<Args>({
  name: "createActionURL",
  args,
  theirs: calling(authjs.createActionURL as Create),
  ours: calling(latchkey.createActionURL as Create),
  rows: {
    "warn-details": sameCodes,
    "slashes-in-paths": (pair, { env, config }) =>
      sameButSlashes(pair) || (pair.where === "warnings" && haveSamePath(urlIn(env), config?.basePath)),
    "invalid-auth-url": ({ ours }, { env }) => ours === threw && env["AUTH_URL"] === "ftp://a.test",
    "nextauth-variables": ({ theirs }, { env }) => theirs === threw && urlIn(env) === "a.test",
    "action-url-origin": ({ where }, { headers, env, config }) =>
      where === "result" &&
      urlIn(env) === undefined &&
      (headers["host"] === undefined ||
        Object.values(headers).some((text) => text.includes(",")) ||
        !isTrusting(env, config)),
  },
})
