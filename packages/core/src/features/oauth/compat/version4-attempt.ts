import { clearCookie } from "../../../http/cookie.js"
import type { AuthContext } from "../../../model/auth.js"
import type { AuthRequest, Params } from "../../../model/http.js"
import type { FlowCheck, OAuthProvider } from "../../../model/oauth-provider.js"
import { flowNames, type NamedFlow } from "../flow.js"
import {
  allChecks,
  type AuthjsAttempt,
  findAuthjsAttempt,
  identityOf,
  present,
  type Secrets,
  toFlow,
  toSecret,
} from "./authjs-cookies.js"

export { clearAuthjsCookies, writeAuthjsCookies } from "./authjs-cookies.js"

/** The attempt of Auth.js v5 or next-auth 4 that a response belongs to. */
export async function findForeignAttempt(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  params: Params,
): Promise<AuthjsAttempt | undefined> {
  const found = await findAuthjsAttempt(auth, provider, request, params)
  return found ?? findVersion4Attempt(auth, provider, request, params)
}

/** The same, as the flow that it would have been here. */
export async function findForeignFlow(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  params: Params,
): Promise<NamedFlow | undefined> {
  const found = await findForeignAttempt(auth, provider, request, params)
  return found && { flow: await toFlow(auth, provider, request, found), identity: identityOf(found) }
}

/** next-auth 4 has the cookies of v5 under other names, sealed with another key. */
const names = { pkce: "pkce.code_verifier", state: "state", nonce: "nonce" } as const

/**
 * Version 4 checks `state` by default, v5 PKCE. So the checks of an attempt are those that it has a cookie for. One of them
 * has to bind the response to this browser: the same `state`, or else a code verifier.
 */
async function findVersion4Attempt(
  { runtime }: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { state }: Params,
): Promise<AuthjsAttempt | undefined> {
  const { version4 } = request.scheme
  const written = allChecks.filter((check) => request.cookies.has(nameOf(request, check)))
  if (version4 === undefined || written.length === 0 || !(runtime.now() < version4.until)) return undefined
  const secrets = await openSecrets(request, version4.secrets, runtime.now())
  const checks = new Set(allChecks.filter((check) => secrets[check]?.provider === provider.id))
  const isBound = checks.has("state")
    ? secrets.state?.value === state
    : state === undefined && checks.has("pkce") && flowNames(provider, request).length === 0
  if (!isBound) return undefined
  const { options } = request.scheme.cookies.state
  return { checks, secrets, cookies: written.map((check) => clearCookie({ name: nameOf(request, check), options })) }
}

function nameOf({ scheme }: AuthRequest, check: FlowCheck): string {
  return `${scheme.secure ? "__Secure-" : ""}next-auth.${names[check]}`
}

async function openSecrets(request: AuthRequest, secrets: readonly string[], now: number): Promise<Secrets> {
  const { openVersion4 } = await import("../../../compat/version4-tokens.js")
  const opened = allChecks.map(async (check) => {
    const salt = nameOf(request, check)
    const found = await openVersion4(request.cookies.get(salt) ?? "", { salt, secrets, now })
    return [check, toSecret(found?.claims)] as const
  })
  return present(await Promise.all(opened))
}
