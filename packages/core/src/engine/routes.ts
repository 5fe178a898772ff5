import { readCsrfToken } from "../endpoints/csrf.js"
import { listProviders } from "../endpoints/providers.js"
import { readSession, updateSession } from "../endpoints/session.js"
import { InvalidProvider } from "../errors.js"
import { requireOwn } from "../http/csrf.js"
import type { AuthContext } from "../model/auth.js"
import type { Route as RouteOf } from "../model/features.js"
import type { AuthRequest, AuthResult, Handler, RoutePath } from "../model/http.js"
import { stepUpRoute } from "../model/step-up.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { onFirstUse } from "../primitives/awaitable.js"
import { redirect } from "../http/respond.js"
import { rememberCallbackUrl, toRoute } from "../http/redirect.js"

export type Route = RouteOf<AuthContext>

// Most processes only read sessions, so everything else loads on first use.
const finishSignIn = onFirstUse(async () => (await import("../signin/phases.js")).finishSignIn)
const consumedCookies = onFirstUse(async () => (await import("../signin/phases.js")).consumedCookies)
const factorPage: Handler<AuthContext> = async (auth, request) => (await seamOf(auth)).factorPage(auth, request)
const answerFactor: Handler<AuthContext> = async (auth, request) => (await seamOf(auth)).answerFactor(auth, request)
const signOut = onFirstUse(async () => (await import("../endpoints/signout.js")).signOut)

const stepUp = onFirstUse(async () => (await import("../endpoints/step-up.js")).stepUp)

const callback: Route = { handle: finishSignIn, consumedCookies, provider: "required", isSignIn: true }

/** Only with modules. */
const factorRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET factor", { handle: factorPage }],
  ["POST factor", { handle: checked(answerFactor), isSignIn: true }],
])

/** The routes of core. Handlers without `checked` verify the CSRF token themselves where their method needs it. */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET session", { handle: readSession }],
  ["POST session", { handle: checked(updateSession) }],
  ["GET csrf", { handle: readCsrfToken }],
  ["GET providers", { handle: listProviders }],
  ["POST signin", { handle: checked(startSignIn), provider: "optional", isSignIn: true }],
  ["GET callback", callback],
  ["POST callback", callback],
  [`GET ${stepUpRoute}`, { handle: stepUp, isBuiltIn: (auth) => auth.stepUp }],
  ["POST signout", { handle: checked(signOut) }],
])

export function checked(handle: Handler<AuthContext>): Handler<AuthContext> {
  return async (auth, request) => {
    await requireOwn(request)
    return handle(auth, request)
  }
}

export type RouteLookup = Route | { readonly allowed: readonly string[] } | undefined

/** The route of a path. Without one for this method: the methods that have one. `undefined`: no route at all. */
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
  return accepts(auth, route, providerId) ? route : undefined
}

/** Whether the id of a provider may follow the action. */
export function takesProvider({ routes: others }: AuthContext["features"], action: string): boolean {
  const key = `GET ${action}`
  return (routes.get(key) ?? others.get(key))?.provider !== undefined
}

function accepts(auth: AuthContext, route: Route, providerId: string | undefined): boolean {
  if (providerId === undefined) return route.provider !== "required"
  const provider = auth.providers.get(providerId)
  return route.provider !== undefined && provider !== undefined && route.serves?.(provider) !== false
}

function lookUp(auth: AuthContext, key: string): Route | undefined {
  const route = routes.get(key) ?? auth.features.routes.get(key)
  if (route === undefined) return factorRoutes.has(key) && hasSeam(auth) ? factorRoutes.get(key) : undefined
  if (route.isBuiltIn?.(auth) === false) return undefined
  const isServing = route.serves === undefined || [...auth.providers.values()].some((each) => route.serves?.(each))
  return isServing ? route : undefined
}

/** POST signin and POST signin/:provider. */
async function startSignIn(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const remembered = await rememberCallbackUrl(auth, request)
  if (request.providerId === undefined) return redirect(toRoute(request, "signin"), remembered)
  const provider = auth.providers.get(request.providerId)
  if (provider === undefined) throw new InvalidProvider("No such provider is configured")
  const method = await provider.method()
  const result = await method.start(auth, provider, request)
  return { ...result, cookies: [...remembered, ...result.cookies] }
}
