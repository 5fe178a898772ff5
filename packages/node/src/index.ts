import {
  type ConfigOrFunction,
  createIntegration,
  type Framework,
  forEvents,
  type Integration,
  type Module,
  type ModuleOptions,
  type Token,
  tokenBy,
  type UserFunctions,
  userFunctionsBy,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import { addCookies, headersOf, leave, sendAnswer, sendResponse, toRequest, urlOf } from "@latchkey/core/node-http"
import type { IdArgument, JWT, Session, SessionUpdate, StepUp, UserAccount } from "@latchkey/core/types"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AuthConfig, AuthorizationParams, Destination, SignInOptions, SignOutOptions } from "./model.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Revoke, Token, UserExport, UserFunctions, WithMembers } from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type * from "./model.js"

/** Responds to a request of `node:http`. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => unknown

/** `false`: the app responds itself. @default true */
interface Redirects {
  readonly redirect?: boolean
}

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> extends UserFunctions<IncomingMessage> {
  /** Wraps the function that responds to requests: it answers the auth routes. If `app` throws, the error is logged. */
  handler(app: Listener): (req: IncomingMessage, res: ServerResponse) => void
  /** The session, or `null`. With `res`, the session is renewed if it's due. Several calls for one request read it once. */
  getSession(req: IncomingMessage, res?: ServerResponse): Promise<S | null>
  /**
   * The session. `null`: it has responded, with a redirect to the sign-in page for pages, and with 401 for an API. With `asked`, a user
   * whose sign-in isn't recent or strong enough is asked again.
   */
  requireSession(req: IncomingMessage, res: ServerResponse, asked?: StepUp): Promise<S | null>
  /**
   * Signs in with a provider, and redirects (303). A form of another site is refused. A refused sign-in leads to the page that
   * shows the error, which the result has too.
   */
  signIn<const P extends string = string>(
    req: IncomingMessage,
    res: ServerResponse,
    provider?: IdArgument<Id, P>,
    options?: SignInOptions & Redirects,
    authorizationParams?: AuthorizationParams,
  ): Promise<Destination>
  /** Ends the session, and redirects (303). */
  signOut(req: IncomingMessage, res: ServerResponse, options?: SignOutOptions & Redirects): Promise<Destination>
  /** Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in. */
  update(req: IncomingMessage, res: ServerResponse, data: SessionUpdate): Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  account(req: IncomingMessage, res: ServerResponse): UserAccount
  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  readonly token: Token<[req: IncomingMessage, res: ServerResponse]>
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  csrfToken(req: IncomingMessage, res: ServerResponse): Promise<string>
}

/**
 * Creates a handler for the auth routes, and functions for sessions, for servers of `node:http`.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/node"
 * import GitHub from "@latchkey/node/providers/github"
 * import { createServer } from "node:http"
 *
 * const auth = createAuth({ providers: [GitHub] })
 * const server = createServer(
 *   auth.handler(async (req, res) => {
 *     const session = await auth.requireSession(req, res)
 *     if (session !== null) res.end(`Hello ${session.user?.name}`)
 *   }),
 * )
 * ```
 * @param config the configuration, or a function that returns it for a request
 * @param options the modules, if the configuration is a function
 */
export function createAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [req: IncomingMessage], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  const given = typeof config === "function" ? forEvents(config, ({ req }: Call) => [req]) : config
  const auth = createIntegration<Call, T, S>(given, node, options)
  const result: Auth<Awaited<S>, Id> = {
    handler: (app) => (req, res) => {
      respond(auth, app, { req, res }).catch((error: unknown) => fail(error, res))
    },
    getSession: (req, res) => auth.session({ req, res }),
    async requireSession(req, res, asked): Promise<Awaited<S> | null> {
      const access = await auth.requireSession({ req, res }, asked)
      if ("response" in access) await sendResponse(access.response, res)
      return access.session
    },
    signIn: async (req, res, provider, { redirect, ...options } = {}, params = {}) =>
      leave(await auth.signIn({ req, res }, provider, options, params), res, redirect),
    signOut: async (req, res, { redirect, ...options } = {}) =>
      leave(await auth.signOut({ req, res }, options), res, redirect),
    update: (req, res, data) => auth.update({ req, res }, data),
    account: (req, res) => auth.account({ req, res }),
    token: tokenBy(auth.token, ([req, res, ...rest]) => [{ req, res }, ...rest]),
    ...userFunctionsBy(auth, (req: IncomingMessage | undefined) => req && { req }),
    csrfToken: (req, res) => auth.csrfToken({ req, res }),
  }
  return withMembers(result, auth.members())
}

async function respond(
  auth: Integration<Call, unknown>,
  app: Listener,
  { req, res }: Call & { readonly res: ServerResponse },
): Promise<void> {
  const answer = await auth.answer({ req, res })
  if (answer === undefined) await app(req, res)
  else sendAnswer(answer, res)
}

/** An error in a listener would end the process. */
function fail(error: unknown, res: ServerResponse): void {
  console.error(error)
  if (res.headersSent) return void res.destroy()
  res.statusCode = 500
  res.setHeader("content-type", "text/plain")
  res.end("Internal Server Error")
}

interface Call {
  readonly req: IncomingMessage
  readonly res?: ServerResponse | undefined
}

const node: Framework<Call> = {
  basePath: "/auth",
  requestOf: ({ req }) => req,
  read({ req }) {
    const { method = "GET", socket, url = "/" } = req
    const target = urlOf("encrypted" in socket ? "https" : "http", hostOf(req), url)
    return { method, url: target, headers: headersOf(req.headers), address: socket.remoteAddress }
  },
  toRequest({ req }) {
    const { url, headers } = node.read({ req })
    return toRequest(req, url, headers)
  },
  setCookies: ({ res }, cookies) => res !== undefined && addCookies(res, cookies),
  isSent: ({ res }) => res === undefined || res.headersSent,
}

/** HTTP/2 has the host in a pseudo-header. */
function hostOf({ headers }: IncomingMessage): string | undefined {
  const authority = headers[":authority"]
  return headers.host ?? (typeof authority === "string" ? authority : undefined)
}
