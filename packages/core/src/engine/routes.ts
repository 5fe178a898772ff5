import { readCsrfToken } from "../endpoints/csrf.js"
import type * as Pages from "../endpoints/pages.js"
import { listProviders } from "../endpoints/providers.js"
import { readSession, updateSession } from "../endpoints/session.js"
import { MissingCSRF } from "../errors.js"
import { failure } from "../http/auth-result.js"
import { withRequest } from "../http/request.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Handler, RoutePath } from "../model/http.js"
import type { ModuleRoute } from "../model/module.js"

export interface Route {
  readonly handle: Handler<AuthContext>
  /** May a second segment name a provider? */
  readonly provider?: "optional" | "required"
}

const startSignIn = onFirstUse(async () => (await import("../signin/start.js")).startSignIn)
const finishSignIn = onFirstUse(async () => (await import("../signin/finish.js")).finishSignIn)
const signOut = onFirstUse(async () => (await import("../endpoints/signout.js")).signOut)
const page = (name: keyof typeof Pages) => onFirstUse(async () => (await import("../endpoints/pages.js"))[name])

/** Everything we answer. A POST handler checks CSRF itself where its method allows (spec/http.md §5). */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET session", { handle: readSession }],
  ["POST session", { handle: updateSession }],
  ["GET csrf", { handle: readCsrfToken }],
  ["GET providers", { handle: listProviders }],
  ["GET signin", { handle: page("signInPage"), provider: "optional" }],
  ["POST signin", { handle: withFailureEvent(checked(startSignIn)), provider: "optional" }],
  ["GET callback", { handle: finishSignIn, provider: "required" }],
  ["POST callback", { handle: finishSignIn, provider: "required" }],
  ["GET signout", { handle: page("signOutPage") }],
  ["POST signout", { handle: signOut }],
  ["GET error", { handle: page("errorPage") }],
  ["GET verify-request", { handle: page("verifyRequestPage") }],
])

/** Most processes only read sessions: the rest is loaded when somebody signs in. */
function onFirstUse(load: () => Promise<Handler<AuthContext>>): Handler<AuthContext> {
  let loaded: Handler<AuthContext> | undefined
  return async (auth, request) => {
    loaded ??= await load()
    return loaded(auth, request)
  }
}

function checked(handle: Handler<AuthContext>): Handler<AuthContext> {
  return async (auth, request) =>
    (await request.csrf.verified())
      ? handle(auth, request)
      : failure(new MissingCSRF("The form was not sent from one of our pages"))
}

/** A sign-in that ends before it has begun is a failure too, for whoever keeps an audit log (ASVS 16.3.1). */
function withFailureEvent(handle: Handler<AuthContext>): Handler<AuthContext> {
  return async (auth, request) => {
    const tell = async (error: Error) =>
      auth.events.signInFailure(withRequest({ error, provider: request.providerId }, request))
    try {
      const outcome = await handle(auth, request)
      if (outcome.kind === "failure") await tell(outcome.error)
      return outcome
    } catch (cause) {
      await tell(cause instanceof Error ? cause : new Error(String(cause)))
      throw cause
    }
  }
}

export type RouteLookup = Route | { readonly allowed: readonly string[] } | undefined

/** The route of an address; the methods that it would have with another; or nothing. */
export function findRoute(
  auth: AuthContext,
  method: AuthRequest["method"],
  { action, providerId }: RoutePath,
): RouteLookup {
  const route = lookUp(auth, `${method === "HEAD" ? "GET" : method} ${action}`)
  if (route === undefined) {
    const allowed = ["GET", "POST"].filter((other) => lookUp(auth, `${other} ${action}`) !== undefined)
    return allowed.length === 0 ? undefined : { allowed }
  }
  if (providerId !== undefined && (route.provider === undefined || !auth.providers.has(providerId))) return undefined
  return providerId === undefined && route.provider === "required" ? undefined : route
}

function lookUp(auth: AuthContext, key: string): Route | undefined {
  const route = routes.get(key)
  if (route !== undefined) return route
  for (const module of auth.modules) {
    const own = module.routes !== undefined && Object.hasOwn(module.routes, key) ? module.routes[key] : undefined
    if (own !== undefined) return { handle: ownHandler(key, own) }
  }
  return undefined
}

function ownHandler(key: string, { csrf, handle }: ModuleRoute): Handler<AuthContext> {
  return key.startsWith("POST ") && csrf !== false ? checked(handle) : handle
}
