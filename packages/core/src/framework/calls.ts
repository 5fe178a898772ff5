import { isAuthRoute } from "../config/auth-routes.js"
import { AuthError } from "../errors.js"
import { nameIn } from "../http/cookies-to-set.js"
import type { AuthConfig } from "../model/config.js"
import type { PlainResponse, Visitor } from "../model/http.js"
import type { SessionUpdate } from "../model/session.js"
import type { StepUp } from "../model/step-up.js"
import type { Module } from "../module-kit/model.js"
import type { Navigation, Server, SessionView } from "../server.js"
import { malformed, redirectTarget } from "./access.js"
import type { Destination, Framework, FrameworkRequest } from "./model.js"
import {
  type Auth,
  type RequestState,
  createAuthFor,
  isSent,
  keep,
  markChanged,
  requireUnsent,
  visitorOf,
} from "./state.js"

type Act = (server: Server<unknown>, visitor: Visitor) => Promise<Navigation>

/** Calls of the engine for a request, which keep what they change for later calls and for the response. */
export interface Calls<E extends object> {
  stateOf(event: E): RequestState<E>
  /** `undefined`: outside of a request. */
  authFor(event: E | undefined): Promise<Auth>
  /** One read per request, unless the session changes. */
  view(event: E, readOnly?: boolean): Promise<SessionView<unknown>>
  /** Runs a call of the application. Its errors say what users may see, unless the framework hides them. */
  run<R>(event: E | undefined, work: Promise<R>): Promise<R>
  /** Whether the session is recent and strong enough. */
  isSufficient(event: E, asked: StepUp): Promise<boolean>
  act(event: E, work: Act): Promise<Destination>
  /** Returns the new session. */
  update(event: E, data: SessionUpdate): Promise<unknown>
  /** The same token for every form of the page. */
  csrfToken(event: E): Promise<string>
  route(event: E): Promise<PlainResponse | undefined>
}

export function createCalls<E extends object>(
  config: AuthConfig | ((event: E) => AuthConfig | PromiseLike<AuthConfig>),
  framework: Framework<E>,
  modules?: readonly Module[],
): Calls<E> {
  const states = new WeakMap<object, RequestState<E>>()
  const find = createAuthFor(config, framework, modules)

  function stateOf(event: E): RequestState<E> {
    const key = framework.requestOf?.(event) ?? event
    const state = states.get(key) ?? { framework, cookies: new Map(), changes: 0, isFinished: false }
    states.set(key, state)
    return state
  }

  function authFor(event: E | undefined): Promise<Auth> {
    return event === undefined ? find(event) : (stateOf(event).auth ??= find(event))
  }

  function view(event: E, readOnly = false): Promise<SessionView<unknown>> {
    const state = stateOf(event)
    const request = framework.read(event)
    const isReadOnly = readOnly || isSent(state, event) || mustNotRenew(request)
    const reading = { state, event, request, isReadOnly }
    if (state.view === undefined || (state.view.isReadOnly && !isReadOnly))
      state.view = { isReadOnly, result: authFor(event).then(({ server }) => read(server, reading)) }
    return state.view.result
  }

  return {
    stateOf,
    authFor,
    view,
    async run(event, work) {
      try {
        return await work
      } catch (error) {
        throw framework.forwardsForms === false ? error : withoutDetails(error, (await authFor(event)).config)
      }
    },
    async isSufficient(event, asked) {
      const { server } = await authFor(event)
      return server.isSufficient(visitorOf(stateOf(event), event), asked)
    },
    async act(event, work) {
      requireUnsent(stateOf(event), event)
      return destinationOf(stateOf(event), event, await authFor(event), work)
    },
    async update(event, data) {
      requireUnsent(stateOf(event), event)
      return updated(stateOf(event), event, await authFor(event), data)
    },
    csrfToken: (event) =>
      (stateOf(event).csrfToken ??= authFor(event).then((auth) => tokenFor(stateOf(event), event, auth))),
    async route(event) {
      const auth = await authFor(event)
      const isOurs = framework.isMounted?.(event) === true
      if (!isOurs && !isAuthRoute(auth.config, framework.read(event).url.pathname)) return undefined
      return respond(stateOf(event), event, auth)
    },
  }
}

interface Reading<E extends object> {
  readonly state: RequestState<E>
  readonly event: E
  readonly request: FrameworkRequest
  readonly isReadOnly: boolean
}

async function read<E extends object>(
  server: Server<unknown>,
  { state, event, request, isReadOnly: readOnly }: Reading<E>,
): Promise<SessionView<unknown>> {
  const { changes } = state
  const view = await server.session(visitorOf(state, event, request), { readOnly })
  if (changes === state.changes) keep(state, event, view.cookies)
  return view
}

async function destinationOf<E extends object>(
  state: RequestState<E>,
  event: E,
  { config, server }: Auth,
  work: Act,
): Promise<Destination> {
  const { to: found, cookies, error } = await work(server, visitorOf(state, event))
  const to = redirectTarget(config, state.framework.read(event), found)
  markChanged(state)
  keep(state, event, cookies)
  return error === undefined ? { to } : { to, error }
}

async function updated<E extends object>(
  state: RequestState<E>,
  event: E,
  { server }: Auth,
  data: SessionUpdate,
): Promise<unknown> {
  const view = await server.update(visitorOf(state, event), data)
  if (view.error !== undefined && state.framework.forwardsForms !== false) throw view.error
  markChanged(state)
  keep(state, event, view.cookies)
  state.view = { isReadOnly: false, result: Promise.resolve(view) }
  return view.session ?? null
}

async function tokenFor<E extends object>(state: RequestState<E>, event: E, { server }: Auth): Promise<string> {
  const { token, cookies } = await server.csrfToken(visitorOf(state, event))
  if (cookies.length > 0) requireUnsent(state, event)
  keep(state, event, cookies)
  return token
}

async function respond<E extends object>(state: RequestState<E>, event: E, { server }: Auth): Promise<PlainResponse> {
  const request = await state.framework.toRequest(event)
  if (request === undefined) return malformed
  const { address, isAddressForgeable } = state.framework.read(event)
  const response = await server.answer(request, { address, isAddressForgeable })
  markChanged(state)
  // An earlier read may have renewed the session that this response ends.
  for (const line of response.cookies ?? []) state.cookies.delete(nameIn(line))
  return response
}

/** Link scanners send HEAD, and must not extend a session. A response that opens a WebSocket can't set cookies everywhere. */
function mustNotRenew({ method, headers }: FrameworkRequest): boolean {
  return method === "HEAD" || headers.get("upgrade")?.toLowerCase() === "websocket"
}

/**
 * Frameworks may show the message, the stack and the cause of an error to users, in production too. The log has them, with the
 * same ID.
 *
 * @returns except in development, an error of the same class that says nothing about the configuration
 */
export function withoutDetails(error: unknown, { environment }: Pick<AuthConfig, "environment">): unknown {
  // An error that isn't in the log, such as that of a call after the response, is the only one that says what happened.
  if (environment === "development" || !(error instanceof AuthError) || error.id === undefined) return error
  const message = `The server has a problem. Its log has the details (error ID ${error.id})`
  const shown: unknown = Reflect.construct(error.constructor, [message])
  return Object.assign(shown as AuthError, { id: error.id, stack: `${error.name}: ${message}` })
}

interface ServedByNode {
  readonly runtime?: { readonly node?: { readonly req?: { readonly socket?: { readonly remoteAddress?: string } } } }
}

/**
 * Whether a server has taken the IP address of a request from a header. For the servers of srvx, on which h3, Nitro and TanStack
 * Start run: their option `trustProxy` does that.
 */
export function isForwardedAddress(request: object, address: string | undefined): boolean {
  const { runtime }: ServedByNode = request
  const socket = runtime?.node?.req?.socket
  return socket?.remoteAddress !== undefined && socket.remoteAddress !== address
}
