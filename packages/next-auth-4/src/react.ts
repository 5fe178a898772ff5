import {
  __NEXTAUTH,
  getCsrfToken as readCsrfToken,
  getProviders as readProviders,
  getSession as readSession,
  SessionContext as ClientContext,
  SessionProvider as ClientProvider,
  signIn as clientSignIn,
  signOut as clientSignOut,
  useSession as useClientSession,
} from "@latchkey/react"
import type { Context, ReactElement, ReactNode } from "react"
import type { BuiltInProviderType, ProviderType, RedirectableProviderType } from "./providers/index.js"
import { parseUrl } from "./request.js"
import type { Anything, Session } from "./model.js"

export { __NEXTAUTH }

export type LiteralUnion<T extends U, U = string> = T | (U & Record<never, never>)

export interface UseSessionOptions<R extends boolean> {
  /** Redirects visitors who aren't signed in to the sign-in page. */
  required: R
  /** Called instead of redirecting. */
  onUnauthenticated?: () => void
}

export interface ClientSafeProvider {
  id: LiteralUnion<BuiltInProviderType>
  name: string
  type: ProviderType
  signinUrl: string
  callbackUrl: string
}

export interface SignInOptions extends Record<string, unknown> {
  /** Where the user goes after the sign-in. @default the current page */
  callbackUrl?: string
  /** `false` stays on the page and returns the result, for credentials and email. @default true */
  redirect?: boolean
}

export interface SignInResponse {
  error: string | null
  status: number
  ok: boolean
  /** Where the user would go, or `null` after an error. */
  url: string | null
}

export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

export interface SignOutResponse {
  url: string
}

export interface SignOutParams<R extends boolean = true> {
  /** Where the user goes after the sign-out. @default the current page */
  callbackUrl?: string
  /** `false` stays on the page and returns the result. @default true */
  redirect?: R
}

export interface SessionProviderProps {
  children: ReactNode
  /** The session that the server rendered. It saves the first request. */
  session?: Session | null
  baseUrl?: string
  basePath?: string
  /** Seconds between reads. @default none */
  refetchInterval?: number
  /** @default true */
  refetchOnWindowFocus?: boolean
  /** `false`: nothing is read without a connection. */
  refetchWhenOffline?: false
}

type UpdateSession = (data?: Anything) => Promise<Session | null>

export type SessionContextValue<R extends boolean = false> = R extends true
  ?
      | { update: UpdateSession; data: Session; status: "authenticated" }
      | { update: UpdateSession; data: null; status: "loading" }
  :
      | { update: UpdateSession; data: Session; status: "authenticated" }
      | { update: UpdateSession; data: null; status: "unauthenticated" | "loading" }

/** The request whose cookies a server forwards. */
export interface CtxOrReq {
  req?: Anything
  ctx?: { req: Anything }
}

export type GetSessionParams = CtxOrReq & {
  event?: string
  triggerEvent?: boolean
  broadcast?: boolean
}

// The client of Latchkey passes the session of the application on. Its types are those of version 5.
export const SessionContext: Context<SessionContextValue | undefined> = ClientContext as Anything

/** Provides the session to `useSession`. */
export const SessionProvider: (props: SessionProviderProps) => ReactElement = ClientProvider as Anything

/**
 * Returns the session, and `update` to change it.
 *
 * @throws Error outside a `SessionProvider`
 */
export function useSession<R extends boolean>(options?: UseSessionOptions<R>): SessionContextValue<R> {
  return useClientSession(options as Anything) as SessionContextValue<R>
}

const isBrowser = typeof document !== "undefined"

/** @returns the session, or `null` if the visitor isn't signed in. On a server, pass the request or its context */
export async function getSession(params: GetSessionParams = {}): Promise<Session | null> {
  if (isBrowser) return readSession<Session>(params)
  const found = await read("session", params)
  return found === null || Object.keys(found).length === 0 ? null : found
}

/**
 * @returns the token to send with your own forms. On a server, pass the context of the page: a browser without the cookie of
 *   the token gets it with the page
 */
export async function getCsrfToken(params?: CtxOrReq): Promise<string | undefined> {
  return isBrowser ? readCsrfToken() : (await read("csrf", params))?.csrfToken
}

/** Lists the providers by id. @returns `null` if the server didn't respond */
export async function getProviders(): Promise<Record<LiteralUnion<BuiltInProviderType>, ClientSafeProvider> | null> {
  return isBrowser ? (readProviders() as Anything) : read("providers")
}

/** A server asks itself, also in a Server Component, which can't call functions of a client module. */
async function read(path: string, context: CtxOrReq = {}): Promise<Anything> {
  const { req, res } = requestIn(context)
  const cookie = cookieIn(req?.headers)
  try {
    const response = await fetch(`${ownUrl()}/${path}`, cookie === undefined ? {} : { headers: { cookie } })
    if (path === "csrf" && res?.headersSent === false) passCookies(response, res)
    return response.ok ? await response.json() : null
  } catch (cause) {
    console.error(`[next-auth][error][CLIENT_FETCH_ERROR] ${String(cause)}`)
    return null
  }
}

/** The context of a page, or that of an application, which has it as `ctx`. */
function requestIn({ req, ctx, res }: CtxOrReq & { res?: Anything }): Anything {
  return { req: req ?? ctx?.req, res: res ?? (ctx as Anything)?.res }
}

/** A token only counts with its cookie. */
function passCookies({ headers }: Response, res: Anything): void {
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) res.setHeader("set-cookie", [res.getHeader("set-cookie") ?? [], cookies].flat())
}

function ownUrl(): string {
  const { NEXTAUTH_URL_INTERNAL, NEXTAUTH_URL, VERCEL_URL } = process.env
  const url = NEXTAUTH_URL_INTERNAL ?? NEXTAUTH_URL
  return parseUrl(url ?? VERCEL_URL).origin + parseUrl(url).basePath
}

function cookieIn(headers: Anything): string | undefined {
  return typeof headers?.get === "function" ? (headers.get("cookie") ?? undefined) : headers?.cookie
}

/** Signs in with a provider. Without one, it opens the sign-in page. */
export async function signIn<P extends RedirectableProviderType | undefined = undefined>(
  provider?: LiteralUnion<P extends RedirectableProviderType ? P | BuiltInProviderType : BuiltInProviderType>,
  options?: SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<P extends RedirectableProviderType ? SignInResponse | undefined : undefined> {
  const result: Anything = await clientSignIn(provider, (options ?? {}) as Anything, authorizationParams)
  // `redirect` decides whether there is a result.
  return result && answerOf(result)
}

function answerOf({ error, status, ok, url }: Anything): SignInResponse {
  return { error: error ?? null, status, ok, url }
}

/** Signs out in all tabs. */
export async function signOut<R extends boolean = true>(
  options?: SignOutParams<R>,
): Promise<R extends true ? undefined : SignOutResponse> {
  const result: Anything = await clientSignOut((options ?? {}) as Anything)
  return result && { url: result.url }
}
