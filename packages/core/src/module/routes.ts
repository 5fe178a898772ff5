import { RecentSignInRequired, SessionRequired } from "../errors.js"
import { isNavigation } from "../http/auth-request.js"
import { redirect } from "../http/respond.js"
import { toRoute } from "../http/redirect.js"
import { stepUpParams } from "../http/step-up.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../model/http.js"
import { stepUpRoute } from "../model/step-up.js"
import type { Route } from "../module-kit/context.js"
import type { Module } from "../module-kit/model.js"
import type { ModuleUser } from "../module-kit/phases.js"
import { recentSignInMs } from "../session/live-session.js"
import { jarOf, requestContext } from "./context.js"
import { type Installed, installed } from "./installed.js"

export interface Matched {
  readonly installed: Installed
  readonly route: Route
  readonly params: Params
}

/** The route of a module for a path. Without one for this method: the methods that have one. `undefined`: no route at all. */
export async function findModuleRoute(
  auth: AuthContext,
  module: Module,
  method: string,
  segments: readonly string[],
): Promise<Matched | { readonly allowed: readonly string[] } | undefined> {
  const own = (await installed(auth)).find((each) => each.module === module)
  const candidates = (own?.parts.routes ?? []).flatMap((route) => {
    const params = match(pathOf(module, route), segments)
    return params === undefined ? [] : [{ route, params }]
  })
  if (own === undefined || candidates.length === 0) return undefined
  const wanted = method === "HEAD" ? "GET" : method
  const found = candidates.find(({ route }) => route.method === wanted)
  return found === undefined ? { allowed: candidates.map(({ route }) => route.method) } : { installed: own, ...found }
}

/** Below the module's id, unless it begins with one of its `paths`. */
function pathOf({ id, paths = [] }: Module, { path }: Route): readonly string[] {
  const segments = path === "" ? [] : path.split("/")
  return paths.includes(segments[0] ?? "") ? segments : [id, ...segments]
}

function match(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = decoded(segments[index] ?? "")
    if (segment === undefined) return undefined
    if (expected.startsWith(":")) params[expected.slice(1)] = segment
    else if (expected !== segment) return undefined
  }
  return params
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

export function needsToken({ route }: Matched): boolean {
  return route.method !== "GET" && route.method !== "OPTIONS" && route.options.csrf !== false
}

export async function handleModuleRoute(
  auth: AuthContext,
  request: AuthRequest,
  { installed: own, route, params }: Matched,
): Promise<AuthResult> {
  const { session = "signed-in", limit } = route.options
  const context = await requestContext(auth, request, own, params)
  const user = await context.user()
  const refused = session === "none" ? undefined : await refusal(auth, request, user, session)
  if (refused !== undefined) return refused
  if (limit !== undefined) await context.limit(limit, user?.id)
  const result = await route.handle(context, user)
  return { ...result, cookies: [...result.cookies, ...jarOf(request)] }
}

/** A browser signs in first, and comes back to the account page. @throws SessionRequired or RecentSignInRequired */
async function refusal(
  auth: AuthContext,
  request: AuthRequest,
  user: ModuleUser | null,
  needed: "signed-in" | "recent" | "strong",
): Promise<AuthResult | undefined> {
  const isNavigating = request.wantsFlow !== true && isNavigation(request.headers)
  const account = toRoute(request, "account")
  if (user === null || (needed !== "signed-in" && !user.isRecent)) {
    if (isNavigating) return redirect(toRoute(request, "signin", { callbackUrl: account }))
    if (user === null) throw new SessionRequired("No user is signed in. Send the user to the sign-in page")
    throw new RecentSignInRequired("The user signed in too long ago for this. Send the user to the sign-in page first")
  }
  if (needed !== "strong" || !(await lacksFactor(auth, request))) return undefined
  const level = { level: 2, maxAge: recentSignInMs / 1000 } as const
  if (isNavigating) return redirect(toRoute(request, stepUpRoute, stepUpParams(level, new URL(account).pathname)))
  throw new RecentSignInRequired("The user hasn't proven their second factor lately. Send the user to a step-up first")
}

async function lacksFactor(auth: AuthContext, request: AuthRequest): Promise<boolean> {
  return auth.stepUp && (await import("../signin/step-up.js")).lacksFactor(auth, request)
}
