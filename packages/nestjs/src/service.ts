import {
  answerWith,
  type AuthorizationParams,
  createIntegration,
  type Destination,
  type Framework,
  type Integration,
  type SignInInput,
  type SignOutInput,
  type SignOutOptions,
  type Token,
  tokenBy,
  type UserExport,
  type WithoutRedirect,
} from "@latchkey/core/integration"
import type { FastifyReply } from "@latchkey/core/node-http"
import type { AuthConfig, SessionUpdate, StepUp, UserAccount } from "@latchkey/core/types"
import { HttpException } from "@nestjs/common"
import type { HttpAdapterHost } from "@nestjs/core"
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  type Exchange,
  expressExchange,
  type ExpressRequest,
  fastifyExchange,
  type FastifyRequest,
} from "./exchange.js"
import type { AppMembers, AppSession, AuthRedirect, LatchkeyConfig, SignInOptions } from "./model.js"

/** The request of a handler: `@Req()` on Express or Fastify, or a request of Node. */
export type PlatformRequest = IncomingMessage | { readonly raw: IncomingMessage }

/**
 * The functions for sessions. Inject it into your controllers and providers.
 *
 * @example
 * ```ts
 * import { AuthService } from "@latchkey/nestjs"
 * import type { IncomingMessage } from "node:http"
 *
 * export class Greeter {
 *   constructor(private readonly auth: AuthService) {}
 *   async greet(request: IncomingMessage) {
 *     const session = await this.auth.getSession(request)
 *     return `Hello ${session?.user?.name ?? "stranger"}`
 *   }
 * }
 * ```
 */
export class AuthService {
  readonly #auth: Integration<Exchange, unknown>
  /** The functions of modules, by their ids: `modules.totp.isEnrolled(userId)`. */
  readonly modules: AppMembers

  constructor(config: LatchkeyConfig) {
    this.#auth = createIntegration(config as AuthConfig, framework)
    this.modules = this.#auth.members()
  }

  /** The current session. Several calls for one request read it once. */
  async getSession(request: PlatformRequest): Promise<AppSession | null> {
    return (await this.#auth.session(exchangeOf(request))) as AppSession | null
  }

  /**
   * The current session. A handler that only users may call has {@link SessionGuard} instead. With `asked`, a user whose sign-in isn't
   * recent or strong enough is asked again.
   *
   * @throws AccessRefused without a session: a page redirects to the sign-in page, and other requests get 401
   */
  async requireSession(request: PlatformRequest, asked?: StepUp): Promise<AppSession> {
    const access = await this.#auth.requireSession(exchangeOf(request), asked)
    if ("response" in access) throw new AccessRefused(access.response)
    return access.session as AppSession
  }

  /** With `redirect: false`, it returns where to send the user, and the `error` if the sign-in was refused. */
  async signIn(
    request: PlatformRequest,
    provider: string | undefined,
    options: SignInOptions & WithoutRedirect,
    authorizationParams?: AuthorizationParams,
  ): Promise<Destination>
  /**
   * Starts a sign-in, or ends one for credentials. A form of another site is refused.
   *
   * @param authorizationParams parameters for the authorization request of an OAuth provider
   */
  async signIn(
    request: PlatformRequest,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<AuthRedirect>
  async signIn(
    request: PlatformRequest,
    provider?: string,
    { redirect, ...options }: SignInInput = {},
    params?: AuthorizationParams,
  ): Promise<AuthRedirect | Destination> {
    return answerWith(await this.#auth.signIn(exchangeOf(request), provider, options, params), redirect, redirectTo)
  }

  /** With `redirect: false`, it returns where to send the user. */
  async signOut(request: PlatformRequest, options: SignOutOptions & WithoutRedirect): Promise<Destination>
  /** Ends the session. A form of another site is refused. */
  async signOut(request: PlatformRequest, options?: SignOutOptions): Promise<AuthRedirect>
  async signOut(
    request: PlatformRequest,
    { redirect, ...options }: SignOutInput = {},
  ): Promise<AuthRedirect | Destination> {
    return answerWith(await this.#auth.signOut(exchangeOf(request), options), redirect, redirectTo)
  }

  /** Passes `data` to your callbacks as an update, and returns the new session. */
  async update(request: PlatformRequest, data: SessionUpdate): Promise<AppSession | null> {
    return (await this.#auth.update(exchangeOf(request), data)) as AppSession | null
  }

  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  account(request: PlatformRequest): UserAccount {
    return this.#auth.account(exchangeOf(request))
  }

  /**
   * Ends everything that gives access to the account of a user: their sessions, open email links and email changes, and what
   * modules have issued. The user can sign in again.
   *
   * @param reason for the security event and the modules, such as `"stolen laptop"`
   * @throws RevokeError if something may still work. Everything else has ended
   */
  revoke(userId: string, reason?: string): Promise<void> {
    return this.#auth.revoke(userId, reason)
  }

  /**
   * Ends what `revoke` ends, and refuses every sign-in of the user and what modules accept from them, until `enable`.
   *
   * @throws InvalidConfig without records
   * @throws RevokeError if something may still work. Everything else has ended, and the user is disabled
   */
  disable(userId: string, reason?: string): Promise<void> {
    return this.#auth.disable(userId, reason)
  }

  /** Lets a user sign in again whom `disable` keeps out. What it ended stays ended. @throws InvalidConfig without records */
  enable(userId: string): Promise<void> {
    return this.#auth.enable(userId)
  }

  /** Everything that is stored about a user, by the adapter, by Latchkey and by the modules, as JSON without secrets. */
  export(userId: string): Promise<UserExport> {
    return this.#auth.export(userId)
  }

  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  get token(): Token<PlatformRequest> {
    return tokenBy(this.#auth.token, ([request, ...rest]) => [exchangeOf(request as PlatformRequest), ...rest])
  }

  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  async csrfToken(request: PlatformRequest): Promise<string> {
    return this.#auth.csrfToken(exchangeOf(request))
  }

  /**
   * The response to a request without a session. `undefined`: the request may go on. {@link SessionGuard} uses it.
   *
   * @param opensPages `false`: neither the auth routes nor the pages in `pages` are open to everyone. @default true
   */
  async protect(
    request: PlatformRequest,
    { opensPages = true }: { readonly opensPages?: boolean } = {},
  ): Promise<Response | undefined> {
    const exchange = exchangeOf(request)
    if (opensPages) return this.#auth.protect(exchange)
    const access = await this.#auth.requireSession(exchange)
    return "response" in access ? access.response : undefined
  }

  /** Answers the auth routes before any other route does. */
  answerAuthRoutes({ httpAdapter }: HttpAdapterHost): void {
    const open = async (exchange: Exchange): Promise<boolean> => {
      exchanges.set(exchange.raw, exchange)
      services.set(exchange.raw, this)
      const answer = await this.#auth.answer(exchange)
      if (answer !== undefined) exchange.answer(answer)
      return answer === undefined
    }
    if (httpAdapter.getType() === "fastify") {
      const app: {
        addHook(name: string, hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void
      } = httpAdapter.getInstance()
      app.addHook("onRequest", (request, reply) => open(fastifyExchange(request, reply)))
    } else {
      httpAdapter.use((req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void) => {
        open(expressExchange(req, res)).then((isOpen) => isOpen && next(), next)
      })
    }
  }
}

/** The request has no session. A filter of `LatchkeyModule` sends `answer`, unless a filter of your application does. */
export class AccessRefused extends HttpException {
  /** A redirect to the sign-in page, 401, or 503 if the database fails. */
  readonly answer: Response

  constructor(response: Response) {
    super("You need to sign in.", response.status)
    this.answer = response
  }
}

const exchanges = new WeakMap<IncomingMessage, Exchange>()
const services = new WeakMap<IncomingMessage, AuthService>()

/** The session of a request, for decorators, which can't inject anything. */
export async function currentSession(request: PlatformRequest): Promise<AppSession | null> {
  const { raw } = exchangeOf(request)
  return (await services.get(raw)?.getSession(raw)) ?? null
}

/** Sends what `protect` of {@link AuthService} returned. */
export function sendTo(request: PlatformRequest, response: Response): Promise<void> {
  return exchangeOf(request).send(response)
}

function exchangeOf(request: PlatformRequest): Exchange {
  const exchange = exchanges.get("raw" in request ? request.raw : request)
  if (exchange !== undefined) return exchange
  throw new Error(
    "This request has no session yet. Import LatchkeyModule before modules with middleware that asks for it",
  )
}

function redirectTo({ to, error }: Destination): AuthRedirect {
  return { url: to, statusCode: 303, ...(error === undefined ? {} : { error }) }
}

const framework: Framework<Exchange> = {
  basePath: "/auth",
  requestOf: ({ raw }) => raw,
  read: (exchange) => exchange.read(),
  toRequest: (exchange) => exchange.toRequest(),
  setCookies: (exchange, cookies) => exchange.setCookies(cookies),
  isSent: (exchange) => exchange.isSent(),
}
