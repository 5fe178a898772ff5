import * as authjs from "@auth/core"
import auth0OfAuthjs from "@auth/core/providers/auth0"
import resendOfAuthjs from "@auth/core/providers/resend"
import * as latchkey from "@latchkey/core"
import auth0 from "@latchkey/core/providers/auth0"
import resend from "@latchkey/core/providers/resend"
import fc from "fast-check"
import { maybe, record } from "./arbitraries.js"
import { sameButSlashes, sameCodes } from "./rows.js"
import { createSubject, type Definition, outcomeOf, type Subject } from "./subject.js"

interface Args {
  readonly env: Readonly<Record<string, string>>
  readonly config: Readonly<Record<string, unknown>>
  readonly providers: readonly ("factory" | "called" | "literal" | "function" | "email" | "called email")[]
  readonly suppress?: boolean
}

const args = record({
  env: record({
    AUTH_URL: maybe(
      "https://a.test",
      "https://a.test/",
      "https://a.test/api/auth",
      "https://a.test/auth/",
      "not a url",
    ),
    NEXTAUTH_URL: maybe("https://former.test/x"),
    AUTH_SECRET: maybe("secret"),
    AUTH_SECRET_1: maybe("one"),
    AUTH_SECRET_3: maybe("three"),
    NEXTAUTH_SECRET: maybe("former"),
    AUTH_TRUST_HOST: maybe("true", "false"),
    AUTH_REDIRECT_PROXY_URL: maybe("https://p.test/auth", "https://p.test/auth/"),
    NODE_ENV: maybe("production", "development"),
    VERCEL: maybe("1"),
    CF_PAGES: maybe("1"),
    AUTH_AUTH0_ID: maybe("id"),
    AUTH_AUTH0_SECRET: maybe("client secret"),
    AUTH_AUTH0_ISSUER: maybe("https://issuer.test"),
    AUTH_RESEND_KEY: maybe("key"),
    AUTH_MY_PROVIDER_ID: maybe("my id"),
  }),
  config: record({
    basePath: maybe("/auth", "/api/auth", "/"),
    secret: maybe<unknown>("own", [], ["own", "former"]),
    trustHost: maybe(true, false),
    redirectProxyUrl: maybe("https://own.test/auth"),
  }),
  providers: fc.uniqueArray(fc.constantFrom("factory", "called", "literal", "function", "email", "called email"), {
    maxLength: 3,
  }),
  suppress: maybe(true),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Args>

type Factory = (options?: object) => object

function providersOf(auth0: Factory, resend: Factory): Readonly<Record<Args["providers"][number], () => unknown>> {
  const literal = (more: object = {}) => ({
    id: "my-provider",
    name: "Mine",
    type: "oauth",
    authorization: "https://p.test/",
    ...more,
  })
  return {
    factory: () => auth0,
    called: () => auth0({ clientId: "own" }),
    literal: () => literal({ clientSecret: "own" }),
    function: () => literal,
    email: () => resend,
    "called email": () => resend({ from: "own@a.test" }),
  }
}

type SetDefaults = (env: object, config: never, suppress?: boolean) => void

function calling(setEnvDefaults: SetDefaults, ...factories: readonly [Factory, Factory]): Definition<Args>["ours"] {
  const made = providersOf(...factories)
  return ({ env, config, providers, suppress }) =>
    outcomeOf((logger) => {
      const given: Record<string, unknown> = { ...config, providers: providers.map((kind) => made[kind]()), logger }
      setEnvDefaults(env, given as never, suppress)
      const client = ({ id, clientId, clientSecret, issuer, apiKey }: Readonly<Record<string, unknown>>) => ({
        id,
        clientId,
        clientSecret,
        issuer,
        apiKey,
      })
      return {
        ...given,
        logger: undefined,
        providers: { ...(given["providers"] as Record<string, unknown>[]).map(client) },
      }
    })
}

export const setEnvDefaults: Subject = createSubject<Args>({
  name: "setEnvDefaults",
  args,
  theirs: calling(authjs.setEnvDefaults as SetDefaults, auth0OfAuthjs as Factory, resendOfAuthjs as Factory),
  ours: calling(latchkey.setEnvDefaults as SetDefaults, auth0, resend),
  rows: {
    "warn-details": sameCodes,
    "slashes-in-paths": (pair) => pair.where === "result.basePath" && sameButSlashes(pair),
    "more-settings": ({ where, theirs }) =>
      ["result.url", "result.environment", "result.deploymentOrigins"].includes(where) && theirs === undefined,
    "trust-host-false": ({ where, ours }, { env }) =>
      where === "result.trustHost" && ours === false && env["AUTH_TRUST_HOST"] === "false",
    "node-env-unset": ({ where, ours }, { env }) =>
      where === "result.trustHost" && ours === false && env["NODE_ENV"] === undefined,
    "nextauth-variables": ({ where }, { env }) =>
      (where === "result.secret" && env["NEXTAUTH_SECRET"] !== undefined) ||
      (["result.basePath", "result.trustHost"].includes(where) &&
        env["AUTH_URL"] === undefined &&
        env["NEXTAUTH_URL"] !== undefined),
  },
})
