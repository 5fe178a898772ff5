import type { FakeProvider } from "@latchkey/testing"
import { createDatabase, tablesWith, type Tables } from "./database.js"
import type {
  Behavior,
  JwtBehavior,
  OAuthPlan,
  PasskeyPlan,
  Plan,
  ProviderPlan,
  RedirectBehavior,
  SessionBehavior,
} from "./plan.js"
import type { Recorder } from "./recorder.js"

/** What an application imports from the library. */
export interface Imports {
  readonly customFetch: symbol
  readonly CredentialsSignin: new () => Error
  readonly AccessDenied: new (message?: string) => Error
  /** The modules of the providers for passkeys. */
  readonly passkeys: Readonly<Record<PasskeyPlan["module"], (config: object) => object>>
}

/** An application with this plan: `config()` is what it passes to the library. */
export interface Application {
  readonly plan: Plan
  readonly recorder: Recorder
  readonly tables: Tables
  config(): Record<string, unknown>
}

export interface Surroundings {
  readonly imports: Imports
  readonly recorder: Recorder
  readonly op: FakeProvider
  /** The new one and the old one. Different for each scenario, so that scenarios share nothing. */
  readonly secrets: readonly string[]
}

export function createApplication(plan: Plan, surroundings: Surroundings): Application {
  const { recorder } = surroundings
  const tables = tablesWith(plan.users ?? [])
  const adapter = plan.adapter ? createDatabase(recorder, tables) : undefined
  const make = () =>
    withoutUndefined({ ...fixed(plan), ...dynamic(plan, surroundings), adapter, logger: recorder.logger })
  const first = make()
  return { plan, recorder, tables, config: plan.config === "one object" ? () => first : make }
}

/** Fresh copies, because next-auth writes into what it gets. */
function fixed({ basePath, trustHost, useSecureCookies, session, pages, cookies, theme }: Plan): object {
  return structuredClone({ basePath, trustHost, useSecureCookies, session, pages, cookies, theme })
}

function dynamic(plan: Plan, surroundings: Surroundings): object {
  const { secrets } = surroundings
  return {
    experimental: plan.enableWebAuthn === undefined ? undefined : { enableWebAuthn: plan.enableWebAuthn },
    secret: { one: secrets.at(-1), two: [...secrets], none: undefined }[plan.secrets],
    providers: plan.providers.map((provider) => providerFor(provider, surroundings)),
    callbacks: callbacksFor(plan, surroundings),
    events: eventsFor(plan, surroundings),
  }
}

function providerFor(plan: ProviderPlan, surroundings: Surroundings): object {
  if (plan.type === "credentials") return credentialsFor(plan, surroundings)
  if (plan.type === "webauthn") return passkeyFor(plan, surroundings)
  return plan.type === "email" ? emailFor(plan, surroundings) : oauthFor(plan, surroundings)
}

function credentialsFor({ id, authorize }: Extract<ProviderPlan, { type: "credentials" }>, surroundings: Surroundings) {
  return {
    id,
    name: "Password",
    type: "credentials",
    credentials: { username: { label: "Name" }, password: { type: "password" } },
    authorize: playing("provider", "authorize", authorize, surroundings),
  }
}

function passkeyFor(
  { id, module, enableConditionalUI, userVerification }: PasskeyPlan,
  { imports }: Surroundings,
): object {
  const options = userVerification && { timeout: 60_000, userVerification }
  return imports.passkeys[module](
    withoutUndefined({
      id,
      name: "Passkey",
      enableConditionalUI,
      authenticationOptions: options,
      verifyAuthenticationOptions: userVerification && { requireUserVerification: userVerification === "required" },
    }),
  )
}

function emailFor(plan: Extract<ProviderPlan, { type: "email" }>, { recorder }: Surroundings): object {
  return withoutUndefined({
    id: plan.id,
    name: "Email",
    type: "email",
    maxAge: plan.maxAge,
    sendVerificationRequest: ({ identifier, url, expires }: Readonly<Record<string, unknown>>) => {
      recorder.record("provider", "sendVerificationRequest", [{ identifier, url, expires }])
      if (plan.fails === true) throw new Error("the mail server is down")
      recorder.links.push(String(url))
    },
  })
}

function oauthFor(plan: OAuthPlan, surroundings: Surroundings): object {
  const { op, imports } = surroundings
  const { issuer, clientId, clientSecret } = op
  const endpoint = (path: string) => `${issuer}/${path}`
  const params = plan.params === undefined ? {} : { params: { ...plan.params } }
  const common = {
    clientId,
    clientSecret,
    [imports.customFetch]: (...args: Parameters<typeof op.fetch>) => op.fetch(...args),
  }
  const endpoints =
    plan.type === "oidc"
      ? { issuer, ...(plan.params === undefined ? {} : { authorization: params }) }
      : {
          authorization: { url: endpoint("authorize"), params: { scope: "read:user", ...plan.params } },
          token: endpoint("token"),
          userinfo: endpoint("userinfo"),
        }
  return withoutUndefined({
    id: plan.id,
    name: "Provider",
    type: plan.type,
    ...common,
    ...endpoints,
    checks: plan.checks && [...plan.checks],
    profile: plan.profile && playing("provider", "profile", plan.profile, surroundings),
    allowDangerousEmailAccountLinking: plan.allowDangerousEmailAccountLinking,
  })
}

/** A function of the application that records its call and then does what the plan says. */
function playing(
  kind: "callback" | "provider",
  name: string,
  behavior: Behavior,
  { recorder, imports }: Surroundings,
): (...args: unknown[]) => unknown {
  return (...args) => {
    recorder.record(kind, name, args)
    if (behavior.async === true) return Promise.resolve().then(() => outcomeOf(behavior, imports))
    return outcomeOf(behavior, imports)
  }
}

function outcomeOf(behavior: Behavior, imports: Imports): unknown {
  if (!("throws" in behavior)) return structuredClone(behavior.returns)
  if (behavior.throws === "CredentialsSignin") throw Object.assign(new imports.CredentialsSignin(), { code: "locked" })
  if (behavior.throws === "AccessDenied") throw new imports.AccessDenied("no access")
  throw new Error("the application failed")
}

function callbacksFor({ callbacks }: Plan, surroundings: Surroundings): object {
  const { recorder } = surroundings
  const recording = <A extends object>(
    name: "redirect" | "jwt" | "session",
    callback: ((args: A) => unknown) | undefined,
  ) =>
    callback === undefined
      ? undefined
      : (args: A) => {
          recorder.record(name === "redirect" ? name : "callback", name, args)
          return callback(args)
        }
  return withoutUndefined({
    signIn: callbacks.signIn && playing("callback", "signIn", callbacks.signIn, surroundings),
    authorized: callbacks.authorized && playing("callback", "authorized", callbacks.authorized, surroundings),
    redirect: recording("redirect", callbacks.redirect && redirects[callbacks.redirect]),
    jwt: recording("jwt", callbacks.jwt && tokens[callbacks.jwt]),
    session: recording("session", callbacks.session && sessions[callbacks.session]),
  })
}

interface Target {
  readonly url: string
  readonly baseUrl: string
}

const redirects: Readonly<Record<RedirectBehavior, (target: Target) => unknown>> = {
  "allow any": ({ url, baseUrl }) => (url.startsWith("/") ? baseUrl + url : url),
  home: ({ baseUrl }) => `${baseUrl}/home`,
  relative: () => "/relative",
  throws: fail,
}

interface TokenArgs {
  readonly token: object
  readonly trigger?: string
  readonly session?: object
}

const tokens: Readonly<Record<JwtBehavior, (args: TokenArgs) => unknown>> = {
  unchanged: ({ token }) => token,
  "adds a claim": ({ token }) => ({ ...token, role: "admin" }),
  null: () => null,
  throws: fail,
  "takes the update": async ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session } : token),
  large: ({ token }) => ({ ...token, large: "x".repeat(5000) }),
}

interface SessionArgs {
  readonly session: object
  readonly token?: Readonly<Record<string, unknown>>
}

const sessions: Readonly<Record<SessionBehavior, (args: SessionArgs) => unknown>> = {
  unchanged: ({ session }) => session,
  "adds a field": async ({ session, token }) => ({ ...session, role: token?.["role"] ?? "user" }),
  "only a field": () => ({ role: "user" }),
  null: () => null,
  undefined: () => undefined,
  throws: fail,
}

function fail(): never {
  throw new Error("the application failed")
}

const eventNames = ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"]

function eventsFor({ failingEvents = [] }: Plan, { recorder }: Surroundings): object {
  const event = (name: string) => (message: unknown) => {
    recorder.record("event", name, message)
    if (failingEvents.includes(name)) fail()
  }
  return Object.fromEntries(eventNames.map((name) => [name, event(name)]))
}

function withoutUndefined(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Reflect.ownKeys(object)
      .map((key): [string | symbol, unknown] => [key, Reflect.get(object, key)])
      .filter(([, value]) => value !== undefined),
  )
}
