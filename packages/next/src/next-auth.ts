import {
  accountFunctions,
  addModules,
  membersOf,
  type ModuleOptions,
  modulesIn,
  readingFunctions,
  type WithMembers,
  withMembers,
} from "@latchkey/core/session-reader"
import type { Token } from "@latchkey/core/integration"
import type { JWT, Module, Session, StepUp, UserAccount } from "@latchkey/core/types"
import type { GetServerSidePropsContext } from "next"
import type { NextRequest } from "next/server.js"
import { requestTime } from "#request-time"
import type { AuthorizationParams, ConfigSource } from "./config.js"
import { type ActionOptions, type Actions, type Instance, instanceFor } from "./instance.js"
import { protect } from "./protect.js"
import { currentEvent, type NextEvent } from "./request.js"
import type { AuthFunction, NextAuthResult, RequireSessionOptions, UpdateFunction } from "./result.js"
import { currentSession, pagesSession, requireSession } from "./session.js"
import type { WrappedHandler } from "./wrapped-handler.js"

/**
 * Sets up authentication for Next.js. It reads and checks nothing until the first request, so `next build` needs no
 * secret.
 *
 * @example
 * ```ts
 * import NextAuth from "@latchkey/next"
 * import Credentials from "@latchkey/next/providers/credentials"
 *
 * export const { handlers, auth, signIn, signOut } = NextAuth({
 *   providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 * })
 * ```
 *
 * @param config the configuration, or a function that returns it for each request. Return the same object for the same
 *   tenant, because what Latchkey computes from it is cached by object.
 * @param options the modules, if the configuration is a function
 */
export function NextAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigSource<T, S, Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<NextAuthResult<Awaited<S>, Id>, Mods> {
  // TypeScript can infer a promise as `S` if both the configuration function and its `session` callback are async.
  const given = config as ConfigSource<T, Awaited<S>>
  const warned = new Set<string>()
  const withModules = addModules(config, options.modules)
  const instanceOf: Resolve<Awaited<S>> = async (request) =>
    instanceFor(withModules(typeof given === "function" ? await given(request) : given), warned)
  const members = membersOf(modulesIn(config, options.modules), async (id, name, args) =>
    (await (await instanceOf(undefined)).actions()).members()[id]?.[name]?.(...args),
  )
  const result: NextAuthResult<Awaited<S>, Id> = createNextAuth(instanceOf)
  return withMembers(result, members)
}

function createNextAuth<S>(instanceOf: Resolve<S>): NextAuthResult<S> {
  const resolve: Resolve<S> = async (request) => {
    if (request === undefined) await requestTime()
    return instanceOf(request)
  }
  const handler = async (request: NextRequest) =>
    (await (await resolve(request)).actions()).handle({ headers: request.headers, request })
  const act: Act<S> = async (work) => {
    const [instance, event] = [await resolve(undefined), await currentEvent()]
    return work(await instance.actions(), event)
  }
  // Also in a job, where Next.js has no request.
  const anywhere = async () => (await instanceOf(undefined)).actions()
  const update: UpdateFunction<S> = async (data) => act(async (actions, event) => actions.update(event, data))
  return {
    handlers: { GET: handler, POST: handler },
    auth: createAuthFunction(resolve),
    requireSession: async (options) => requireSession(await resolve(undefined), options),
    // The overloads return `never` where `redirect` of Next.js throws.
    signIn: (async (provider?: string, options?: ActionOptions, params?: AuthorizationParams) =>
      act(async (actions, event) =>
        actions.signIn(event, provider, options ?? {}, params ?? ""),
      )) as NextAuthResult<S>["signIn"],
    signOut: (async (options?: ActionOptions) =>
      act(async (actions, event) => actions.signOut(event, options ?? {}))) as NextAuthResult<S>["signOut"],
    update,
    csrfToken: async () => act(async (actions, event) => actions.csrfToken(event)),
    unstable_update: update,
    account: accountOf(act),
    token: tokenOf(act),
    revoke: async (...args) => (await anywhere()).revoke(...args),
    disable: async (...args) => (await anywhere()).disable(...args),
    enable: async (...args) => (await anywhere()).enable(...args),
    export: async (...args) => (await anywhere()).export(...args),
  }
}

type Act<S> = <R>(work: (actions: Actions<S>, event: NextEvent) => Promise<R>) => Promise<R>

function accountOf<S>(act: Act<S>): UserAccount {
  const call =
    (name: keyof UserAccount) =>
    async (...args: unknown[]) =>
      act<unknown>(async (actions, event) => {
        // A Server Component can't set cookies.
        const account = actions.account(readingFunctions.has(name) ? { ...event, jar: undefined } : event)
        return Reflect.apply(account[name], account, args)
      })
  return Object.fromEntries(accountFunctions.map((name) => [name, call(name)])) as unknown as UserAccount
}

function tokenOf<S>(act: Act<S>): Token {
  const token = async (...args: Parameters<Token>) => act(async ({ token: of }, event) => of(event, ...args))
  const fetch = async (...args: Parameters<Token["fetch"]>) =>
    act(async ({ token: of }, event) => of.fetch(event, ...args))
  return Object.assign(token, { fetch })
}

type Resolve<S> = (request: NextRequest | undefined) => Promise<Instance<S>>

/** The arguments of `auth` tell where it's called. */
function createAuthFunction<S>(resolve: Resolve<S>): AuthFunction<S> {
  const serverSession = async () => currentSession(await resolve(undefined))
  const proxy = async (request: NextRequest) => protect(await resolve(request), request)
  const wrap = (handler: WrappedHandler) => async (request: NextRequest, context: unknown) =>
    protect(await resolve(request), request, handler, context)
  const pages = async (req: GetServerSidePropsContext["req"], res?: GetServerSidePropsContext["res"]) =>
    // A configuration function usually reads `headers`, which a Node.js request has too.
    pagesSession(await resolve(req as unknown as NextRequest), req, res)
  const stepUp = (asked: RequireSessionOptions, handler: unknown) =>
    typeof handler === "function"
      ? wrap(guarded(resolve, asked, handler as WrappedHandler))
      : resolve(undefined).then((instance) => requireSession(instance, asked))
  const auth = (...[first, second]: readonly unknown[]): unknown => {
    if (first === undefined) return serverSession()
    if (typeof first === "function") return wrap(first as WrappedHandler)
    if (isRequest(first)) return proxy(first)
    if (isContext(first)) return pages(first.req, first.res)
    if (isAsked(first)) return stepUp(first, second)
    // The overloads leave only `auth(req, res)`.
    return pages(first as GetServerSidePropsContext["req"], second as GetServerSidePropsContext["res"] | undefined)
  }
  return auth as AuthFunction<S>
}

/** Only the engine can tell whether a session is recent and strong enough. */
function guarded<S>(resolve: Resolve<S>, asked: StepUp, handler: WrappedHandler): WrappedHandler {
  return async (request, context) => {
    const actions = await (await resolve(request)).actions()
    return actions.guarded(asked, handler)(request, context)
  }
}

/** A `NextRequest`, or a `Request` made in a test. */
function isRequest(value: unknown): value is NextRequest {
  return value instanceof Request || (typeof value === "object" && value !== null && "nextUrl" in value)
}

function isAsked(value: unknown): value is RequireSessionOptions {
  return typeof value === "object" && value !== null && ("maxAge" in value || "level" in value)
}

function isContext(value: unknown): value is GetServerSidePropsContext {
  return typeof value === "object" && value !== null && "req" in value && "res" in value
}
