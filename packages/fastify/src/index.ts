import { withEnv } from "@latchkey/core"
import {
  answerWith,
  createIntegration,
  type Destination,
  type Framework,
  type Integration,
  tokenBy,
  userFunctionsBy,
} from "@latchkey/core/integration"
import {
  addFastifyCookies,
  readFastify,
  sendFastifyAnswer,
  sendFastifyResponse,
  toRequest,
} from "@latchkey/core/node-http"
import type { AuthConfig, SessionUpdate, StepUp } from "@latchkey/core/types"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Readable } from "node:stream"
import type { AppSession, LatchkeyOptions, SignIn, SignOut } from "./model.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  AuthorizationParams,
  Destination,
  Revoke,
  SessionOf,
  SignInOptions,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
} from "@latchkey/core/integration"
export type { Account, AuthConfig, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type { AppMembers, AppSession, LatchkeyOptions, Register, SignIn, SignOut } from "./model.js"

/**
 * The plugin: it answers the auth routes, and adds `getSession` and `authAccount` to requests, and `signIn`, `signOut`, `update`
 * and `csrfToken` to replies.
 *
 * @example
 * ```ts
 * import latchkey, { requireSession } from "@latchkey/fastify"
 * import GitHub from "@latchkey/fastify/providers/github"
 * import Fastify from "fastify"
 *
 * const app = Fastify()
 * await app.register(latchkey, { providers: [GitHub] })
 * app.get("/account", { preHandler: requireSession }, async (request) => request.authSession)
 * await app.listen({ port: 3000 })
 * ```
 */
async function latchkey(app: FastifyInstance, options: LatchkeyOptions): Promise<void> {
  const config = options as AuthConfig
  const framework = frameworkAt(`${app.prefix}${options.prefix ?? ""}/auth`)
  const auth: Integration<Exchange, unknown> = createIntegration(config, framework)
  app.addHook("onRequest", (request, reply, done) => {
    exchanges.set(request, { request, reply, auth })
    done()
  })
  decorate(app)
  const users = userFunctionsBy(auth, () => undefined)
  app.decorate("authRevoke", users.revoke)
  app.decorate("authDisable", users.disable)
  app.decorate("authEnable", users.enable)
  app.decorate("authExport", users.export)
  app.decorate("authModules", auth.members())
  const { basePath = "" } = withEnv(config, process.env, framework)
  await app.register(async (scope) => {
    // The engine reads and limits the body. Parsers of the application don't apply to this scope.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser("*", (_request, body, done) => done(null, body))
    scope.route({
      method: ["GET", "HEAD", "POST"],
      url: `${pathIn(app, basePath)}/*`,
      async handler(request, reply) {
        const answer = await auth.answer({ request, reply })
        if (answer === undefined) reply.callNotFound()
        else sendFastifyAnswer(answer, reply)
        return reply
      },
    })
  })
}

export default latchkey

/** Without a scope of its own, as with `fastify-plugin`: the application's routes get the hooks and decorators. */
Object.assign(latchkey, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "@latchkey/fastify",
})

type PreHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A `preHandler` that needs a session. Without one, a page redirects to the sign-in page, and other requests get 401. */
export function requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void>
/** Makes a `preHandler` that needs a recent or a strong sign-in. Without one, the user is asked again. */
export function requireSession(asked: StepUp): PreHandler
export function requireSession(first: FastifyRequest | StepUp, reply?: FastifyReply): Promise<void> | PreHandler {
  // Without a reply, no request is there yet.
  if (reply === undefined) return async (request, its) => enter(request, its, first as StepUp)
  return enter(first as FastifyRequest, reply)
}

async function enter(request: FastifyRequest, reply: FastifyReply, asked?: StepUp): Promise<void> {
  const exchange = exchangeOf(request)
  const access = await exchange.auth.requireSession(exchange, asked)
  if ("response" in access) await sendFastifyResponse(access.response, reply)
  else sessions.set(request, access.session)
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const exchanges = new WeakMap<FastifyRequest, Exchange & { readonly auth: Integration<Exchange, unknown> }>()
const sessions = new WeakMap<FastifyRequest, unknown>()

function exchangeOf(request: FastifyRequest): Exchange & { readonly auth: Integration<Exchange, unknown> } {
  const exchange = exchanges.get(request)
  if (exchange !== undefined) return exchange
  throw new Error(
    "This request has no session yet. Register @latchkey/fastify before the hook or route that asks for it",
  )
}

function decorate(app: FastifyInstance): void {
  app.decorateRequest("getSession", function () {
    const exchange = exchangeOf(this)
    return exchange.auth.session(exchange) as Promise<AppSession | null>
  })
  app.decorateRequest("authSession", {
    getter() {
      if (!sessions.has(this)) throw new Error("This route has no session. Add `preHandler: requireSession` to it")
      return sessions.get(this) as AppSession
    },
  })
  app.decorateRequest("authAccount", {
    getter() {
      const exchange = exchangeOf(this)
      return exchange.auth.account(exchange)
    },
  })
  app.decorateRequest("authToken", {
    getter() {
      const exchange = exchangeOf(this)
      return tokenBy<never>(exchange.auth.token, (args) => [exchange, ...args])
    },
  })
  app.decorateReply("signIn", async function (this: FastifyReply, provider, { redirect, ...options } = {}, params) {
    const exchange = exchangeOf(this.request)
    return answerWith(await exchange.auth.signIn(exchange, provider, options, params), redirect, leaveWith(this))
  } as SignIn)
  app.decorateReply("signOut", async function (this: FastifyReply, { redirect, ...options } = {}) {
    const exchange = exchangeOf(this.request)
    return answerWith(await exchange.auth.signOut(exchange, options), redirect, leaveWith(this))
  } as SignOut)
  app.decorateReply("update", update)
  app.decorateReply("updateSession", update)
  app.decorateReply("csrfToken", function () {
    const exchange = exchangeOf(this.request)
    return exchange.auth.csrfToken(exchange)
  })
}

function update(this: FastifyReply, data: SessionUpdate): Promise<AppSession | null> {
  const exchange = exchangeOf(this.request)
  return exchange.auth.update(exchange, data) as Promise<AppSession | null>
}

function leaveWith(reply: FastifyReply): (destination: Destination) => void {
  return ({ to }) => void reply.redirect(to, 303)
}

function frameworkAt(basePath: string): Framework<Exchange> {
  return {
    basePath,
    requestOf: ({ request }) => request,
    isSent: ({ reply }) => reply.sent,
    read: ({ request }) => readFastify(request),
    toRequest(exchange) {
      const { url, headers } = this.read(exchange)
      const { body, raw, method } = exchange.request
      const stream = body instanceof Readable ? body : raw
      const { readableDidRead } = stream
      const reading = { iterator: stream.iterator.bind(stream), resume: stream.resume.bind(stream) }
      return toRequest({ method, readableDidRead, ...reading }, url, headers)
    },
    setCookies: ({ reply }, cookies) => addFastifyCookies(reply, cookies),
  }
}

/** The path that Fastify gives to a route: it puts the prefix of the instance before it. */
function pathIn({ prefix }: FastifyInstance, basePath: string): string {
  const path = `/${basePath}`.replace(/^\/+/, "/").replace(/\/+$/, "")
  if (path.startsWith(prefix)) return path.slice(prefix.length)
  throw new Error(`The base path ${basePath} isn't below ${prefix}. Register @latchkey/fastify outside of this prefix`)
}
