import { clearCookie, setCookie } from "../../../http/cookie.js"
import type { AuthContext } from "../../../model/auth.js"
import type { Cookie, SetCookie } from "../../../model/cookie.js"
import type { AuthRequest, Params } from "../../../model/http.js"
import type { FlowCheck, OAuthProvider } from "../../../model/oauth-provider.js"
import type { TokenPayload } from "../../../model/session-strategy.js"
import { signedInUserId } from "../../../session/current.js"
import {
  cookieName,
  type Flow,
  flowCookie,
  flowLifetime,
  flowNames,
  openFlow,
  ownRedirectUri,
  redirectUri,
  sealFlow,
  openedIn,
} from "../flow.js"
import { configuredRequirement } from "../required-authentication.js"

/**
 * Auth.js v5 keeps an attempt in one cookie for each check, shared by all tabs. While an application changes libraries, an
 * attempt may start on an instance that runs one and end on an instance that runs the other.
 */
const keys = { pkce: "pkceCodeVerifier", state: "state", nonce: "nonce" } as const

export const allChecks: readonly FlowCheck[] = ["pkce", "state", "nonce"]

/** The content of one cookie. */
export interface Secret {
  readonly value: string
  /** Id of the provider. `undefined`: written by @auth/core before 0.41.2. */
  readonly provider: string | undefined
  /** Unique for each cookie that was ever written. */
  readonly jti: string
  /** Seconds since 1970. */
  readonly exp: number
  /**
   * The state of the attempt, if it started here. Only the flow cookie can finish it here: it binds the response to more
   * than Auth.js does. `undefined`: Auth.js wrote the cookie.
   */
  readonly attempt?: string | undefined
}

export type Secrets = Readonly<Partial<Record<FlowCheck, Secret>>>

/** An attempt that Auth.js started, and the cookies that hold it. */
export interface AuthjsAttempt {
  /** The checks that were made. */
  readonly checks: ReadonlySet<FlowCheck>
  readonly secrets: Secrets
  readonly cookies: readonly SetCookie[]
}

/** Cookies with which Auth.js can finish an attempt that starts here. None if it has no use for them. */
export async function writeAuthjsCookies(
  auth: AuthContext,
  request: AuthRequest,
  provider: OAuthProvider,
  flow: Flow,
): Promise<readonly SetCookie[]> {
  const values = { pkce: flow.verifier, state: flow.state, nonce: flow.nonce }
  const checks = [...provider.authjsChecks]
  const lacksOne = checks.some((check) => values[check] === undefined)
  // Auth.js refuses an ID token with a nonce that it doesn't know.
  const hasUnknownNonce = flow.nonce !== undefined && !provider.authjsChecks.has("nonce")
  if (!isShared(auth) || checks.length === 0 || lacksOne || hasUnknownNonce) return []
  const written = checks.map(async (check) => {
    const cookie = cookieOf(request, check)
    const payload = { value: values[check], provider: provider.id, attempt: flow.state }
    const sealed = await request.scheme.sealer.seal(cookie.name, payload, flowLifetime)
    return setCookie(crossSite(provider, check, cookie), sealed, { expires: undefined })
  })
  return [...(await moveAttempt(auth, provider, request)), ...(await Promise.all(written))]
}

/** Auth.js has no key for each purpose, so then it can't open a cookie of ours. */
function isShared({ security }: AuthContext): boolean {
  return !security.keyPerPurpose
}

function cookieOf({ scheme }: AuthRequest, check: FlowCheck): Cookie {
  return scheme.cookies[keys[check]]
}

/** Auth.js reads only these two from a form that another site posts. */
function crossSite(provider: OAuthProvider, check: FlowCheck, cookie: Cookie): Cookie {
  if (check === "pkce" || !postsForm(provider)) return cookie
  return { ...cookie, options: { ...cookie.options, sameSite: "none", secure: true } }
}

function postsForm({ authorization: { params, url } }: OAuthProvider): boolean {
  return (params["response_mode"] ?? url?.searchParams.get("response_mode")) === "form_post"
}

/** Moves an attempt of Auth.js in another tab to a cookie of its own, before its cookies are overwritten. */
async function moveAttempt(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
): Promise<readonly SetCookie[]> {
  const secrets = writtenByAuthjs(await openSecrets(request))
  const all = Object.values(secrets)
  const [first] = all
  if (first === undefined) return []
  const left = Math.min(...all.map(({ exp }) => exp)) - Math.floor(auth.runtime.now() / 1000)
  if (left <= 0) return []
  const cookie = flowCookie(provider, request)
  const name = `${cookie.name}.${first.jti.slice(-10)}`
  return [setCookie({ ...cookie, name }, await sealFlow(request, { authjs: secrets }, left), { maxAge: left })]
}

async function openSecrets(request: AuthRequest): Promise<Secrets> {
  const opened = allChecks.map(async (check) => {
    const { name } = cookieOf(request, check)
    return [check, toSecret(await openedIn(request, name, request.cookies.get(name)))] as const
  })
  return present(await Promise.all(opened))
}

export function present(entries: readonly (readonly [FlowCheck, Secret | undefined])[]): Secrets {
  return Object.fromEntries(entries.filter(([, secret]) => secret !== undefined))
}

export function toSecret(payload: TokenPayload | undefined): Secret | undefined {
  const { value, provider, jti, exp, attempt } = payload ?? {}
  if (typeof value !== "string" || typeof jti !== "string") return undefined
  if (provider !== undefined && typeof provider !== "string") return undefined
  if (typeof exp !== "number") return undefined
  return { value, provider, jti, exp, attempt: typeof attempt === "string" ? attempt : undefined }
}

function writtenByAuthjs(secrets: Secrets): Secrets {
  return present(allChecks.map((check) => [check, secrets[check]?.attempt === undefined ? secrets[check] : undefined]))
}

/** The attempt of Auth.js that a response belongs to, by the checks that Auth.js itself makes. */
export async function findAuthjsAttempt(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { state }: Params,
): Promise<AuthjsAttempt | undefined> {
  if (!isShared(auth) || provider.authjsChecks.size === 0) return undefined
  if (state !== undefined && request.cookies.has(cookieName(provider, request, state))) return undefined
  const secrets = writtenByAuthjs(await openSecrets(request))
  const checks = provider.authjsChecks
  if (matches(auth, provider, secrets, state)) return { checks, secrets, cookies: clearOf(request, checks) }
  for (const name of flowNames(provider, request)) {
    const moved = movedSecrets(await openFlow(request, name))
    if (matches(auth, provider, moved, state)) {
      return { checks, secrets: moved, cookies: [clearCookie(flowCookie(provider, request), name)] }
    }
  }
  return undefined
}

function movedSecrets(payload: TokenPayload | undefined): Secrets {
  const moved = payload?.["authjs"]
  if (typeof moved !== "object" || moved === null) return {}
  const entries = new Map<string, TokenPayload>(Object.entries(moved))
  return present(allChecks.map((check) => [check, toSecret(entries.get(check))]))
}

function matches(
  auth: AuthContext,
  { id, authjsChecks }: OAuthProvider,
  secrets: Secrets,
  state: string | undefined,
): boolean {
  const names = [...authjsChecks].map((check) => secrets[check] && (secrets[check].provider ?? onlyProvider(auth)))
  const isComplete = names.every((name) => name === id)
  return isComplete && (!authjsChecks.has("state") || secrets.state?.value === state)
}

/** With a second provider, a cookie that names none could belong to it (mix-up attack, RFC 9700 §4.4). */
function onlyProvider({ providers }: AuthContext): string | undefined {
  const [first, ...others] = [...providers.values()].filter(({ type }) => type === "oauth" || type === "oidc")
  return others.length === 0 ? first?.id : undefined
}

function clearOf(request: AuthRequest, checks: Iterable<FlowCheck>): readonly SetCookie[] {
  return [...checks].map((check) => clearCookie(cookieOf(request, check)))
}

/** Removes the cookies of {@link writeAuthjsCookies} once their attempt ends here. */
export async function clearAuthjsCookies(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { state }: Params,
): Promise<readonly SetCookie[]> {
  if (!isShared(auth)) return []
  const secrets = await openSecrets(request)
  const isOver = (secret: Secret | undefined): boolean => {
    if (secret?.attempt === undefined) return false
    return state === undefined ? provider.stateOptional && secret.provider === provider.id : secret.attempt === state
  }
  return clearOf(
    request,
    allChecks.filter((check) => isOver(secrets[check])),
  )
}

/** Auth.js links to the user who is signed in when the attempt ends. It doesn't know who started it. */
export async function toFlow(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { checks, secrets }: AuthjsAttempt,
): Promise<Flow> {
  return {
    state: checks.has("state") ? secrets.state?.value : undefined,
    // Auth.js uses no redirect proxy for forms.
    redirectUri: postsForm(provider) ? ownRedirectUri(provider, request) : redirectUri(provider, request),
    verifier: checks.has("pkce") ? secrets.pkce?.value : undefined,
    nonce: checks.has("nonce") ? secrets.nonce?.value : undefined,
    userId: await signedInUserId(auth, request),
    requires: configuredRequirement(provider),
    startedAt: Math.min(...Object.values(secrets).map(({ exp }) => exp)) - flowLifetime,
  }
}

/** Auth.js may not have sent a `state`, so the cookies identify the attempt. */
export function identityOf({ secrets }: AuthjsAttempt): string {
  return allChecks.map((check) => secrets[check]?.jti ?? "").join(" ")
}
