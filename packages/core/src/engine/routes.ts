import type * as AccountPage from "../features/account/page.js"
import { readCsrfToken } from "../endpoints/csrf.js"
import type * as Pages from "../endpoints/pages.js"
import { listProviders } from "../endpoints/providers.js"
import { readSession, updateSession } from "../endpoints/session.js"
import { InvalidProvider, MissingCSRF } from "../errors.js"
import { isOwnAccountRoute } from "../http/account-path.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Handler, RoutePath } from "../model/http.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import type { Awaitable } from "../primitives/awaitable.js"

export interface Route {
  readonly handle: Handler<AuthContext>
  /** Whether a second path segment may or must name a provider. @default neither */
  readonly provider?: "optional" | "required"
  /** Failures reach the `signInFailure` event. */
  readonly isSignIn?: boolean
  /** Cookies that the request uses up, whether it succeeds or fails. */
  consumedCookies?(auth: AuthContext, request: AuthRequest): Awaitable<readonly SetCookie[]>
}

// Most processes only read sessions, so everything else loads on first use.
const startSignIn = onFirstUse(async () => (await import("../signin/start.js")).startSignIn)
const finishSignIn = onFirstUse(async () => (await import("../signin/phases.js")).finishSignIn)
const consumedCookies = onFirstUse(async () => (await import("../signin/phases.js")).consumedCookies)
const factorPage: Handler<AuthContext> = async (auth, request) => (await seamOf(auth)).factorPage(auth, request)
const answerFactor: Handler<AuthContext> = async (auth, request) => (await seamOf(auth)).answerFactor(auth, request)
const signOut = onFirstUse(async () => (await import("../endpoints/signout.js")).signOut)
const page = (name: keyof typeof Pages) =>
  onFirstUse<AuthResult>(async () => (await import("../endpoints/pages.js"))[name])

const accountHandler = (name: keyof typeof AccountPage) =>
  onFirstUse<AuthResult>(async () => (await import("../features/account/page.js"))[name])

const callback: Route = { handle: finishSignIn, consumedCookies, provider: "required", isSignIn: true }

/** Only with modules. */
const factorRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET factor", { handle: factorPage }],
  ["POST factor", { handle: checked(answerFactor), isSignIn: true }],
])

/** Every built-in route. Handlers without `checked` verify the CSRF token themselves where their method needs it. */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET session", { handle: readSession }],
  ["POST session", { handle: checked(updateSession) }],
  ["GET csrf", { handle: readCsrfToken }],
  ["GET providers", { handle: listProviders }],
  ["GET signin", { handle: page("signInPage"), provider: "optional" }],
  ["POST signin", { handle: checked(startSignIn), provider: "optional", isSignIn: true }],
  ["GET callback", callback],
  ["POST callback", callback],
  ["GET signout", { handle: page("signOutPage") }],
  ["POST signout", { handle: checked(signOut) }],
  ["GET account", { handle: accountHandler("accountPage") }],
  // Verifies the CSRF token itself, because the account page shows the error.
  ["POST account", { handle: accountHandler("changeAccount") }],
  ["GET error", { handle: page("errorPage") }],
  ["GET verify-request", { handle: page("verifyRequestPage") }],
])

type Handles<T> = (auth: AuthContext, request: AuthRequest) => Awaitable<T>

function onFirstUse<T>(load: () => Promise<Handles<T>>): (auth: AuthContext, request: AuthRequest) => Promise<T> {
  let loaded: Handles<T> | undefined
  return async (auth, request) => {
    loaded ??= await load()
    return loaded(auth, request)
  }
}

export function checked(handle: Handler<AuthContext>): Handler<AuthContext> {
  return async (auth, request) => {
    if (await request.csrf.verified()) return handle(auth, request)
    throw new MissingCSRF("The form wasn't sent from this site, or its CSRF token is missing or expired")
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

function accepts(auth: AuthContext, route: Route, providerId: string | undefined): boolean {
  if (providerId === undefined) return route.provider !== "required"
  const provider = auth.providers.get(providerId)
  if (route === passkeyOptions && provider?.type !== "webauthn") return false
  return route.provider !== undefined && provider !== undefined
}

function lookUp(auth: AuthContext, key: string): Route | undefined {
  const { basePath, pages } = auth
  if (key === "GET account" && isOwnAccountRoute({ basePath, account: pages.account })) return undefined
  const route = routes.get(key)
  if (route !== undefined) return route
  if (factorRoutes.has(key) && hasSeam(auth)) return factorRoutes.get(key)
  const hasPasskeys = [...auth.providers.values()].some(({ type }) => type === "webauthn")
  return key === "GET webauthn-options" && hasPasskeys ? passkeyOptions : undefined
}

/** What a browser asks for before it uses or creates a passkey. */
const passkeyOptions: Route = {
  provider: "required",
  handle: async (auth, request) => {
    const provider = auth.providers.get(request.providerId ?? "")
    const { options } = (await provider?.method()) ?? {}
    if (provider === undefined || options === undefined) throw new InvalidProvider("The provider has no passkeys")
    return options(auth, provider, request)
  },
}
