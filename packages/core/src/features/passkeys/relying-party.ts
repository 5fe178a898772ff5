import { sha256 } from "../../crypto/digest.js"
import { InvalidProvider } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { ResolvedProvider } from "../../model/signin.js"
import type {
  GetUserInfo,
  UserVerification,
  VerificationOptions,
  WebAuthnConfig,
  WebAuthnProvider,
} from "../../model/webauthn-provider.js"
import { customOf } from "../../provider-kit/passkey-config.js"
import { idText } from "../../session/live-session.js"

/** @throws InvalidProvider */
export function passkeyProvider(provider: ResolvedProvider | undefined): WebAuthnProvider {
  if (provider?.type === "webauthn") return provider
  throw new InvalidProvider("This provider has no passkeys")
}

/** What `getRelayingParty` and `getUserInfo` of a provider receive. */
export function callbackParams(
  { adapter }: AuthContext,
  { config }: WebAuthnProvider,
  { origin, path, method, headers, cookies, query, body }: AuthRequest,
): Parameters<GetUserInfo> {
  const url = new URL(path, origin)
  return [
    { url, provider: config, adapter },
    { url, method, headers: Object.fromEntries(headers), cookies: Object.fromEntries(cookies), query, body },
  ]
}

export interface Site {
  readonly id: string
  readonly name: string
  /** The origins that a passkey may be used on. */
  readonly origins: readonly string[]
}

/** The site that the passkeys of a provider belong to. */
export function siteOf(auth: AuthContext, provider: WebAuthnProvider, request: AuthRequest): Site {
  const { relayingParty } = provider.config
  // The default names one origin, and every configured one counts.
  const { getRelayingParty } = customOf(provider.config)
  if (getRelayingParty !== undefined) {
    const { id, name, origin } = getRelayingParty.apply(provider.config, callbackParams(auth, provider, request))
    return { id, name, origins: listOf(origin) }
  }
  const { hostname, host, origin } = new URL(request.origin)
  const [id = hostname] = listOf(relayingParty?.id)
  const [name = host] = listOf(relayingParty?.name)
  const origins = listOf(relayingParty?.origin)
  return { id, name, origins: origins.length === 0 ? [origin] : origins }
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return [given ?? []].flat()
}

/**
 * EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), which every version of the library verifies on every runtime. Newer versions add ML-DSA
 * where Node has it, and browsers may prefer it. Then a passkey wouldn't work on other runtimes, or with Auth.js after rolling back.
 */
const everywhere: readonly number[] = [-8, -7, -257]

/** The COSE algorithms of new passkeys, the preferred one first. */
export function algorithmsOf({ registrationOptions }: Pick<WebAuthnConfig, "registrationOptions">): number[] {
  return [...(registrationOptions?.supportedAlgorithmIDs ?? everywhere)]
}

interface VerificationPolicy {
  /** What the browser is asked for. */
  readonly asked: UserVerification
  /** Whether a response without user verification is refused. */
  readonly required: boolean
}

/**
 * Asks the browser for what is verified afterwards. Otherwise, a security key without a PIN registers a passkey that never
 * signs in.
 */
function policyOf(asked: UserVerification | undefined, verify: VerificationOptions | undefined): VerificationPolicy {
  const { requireUserVerification: verified } = verify ?? {}
  const required = asked === "required" || verified === true || (asked === undefined && verified === undefined)
  return { asked: required ? "required" : (asked ?? "preferred"), required }
}

export function authenticationPolicy(config: WebAuthnConfig): VerificationPolicy {
  return policyOf(config.authenticationOptions?.userVerification, config.verifyAuthenticationOptions)
}

export function registrationPolicy(config: WebAuthnConfig): VerificationPolicy {
  const { authenticatorSelection } = config.registrationOptions ?? {}
  return policyOf(authenticatorSelection?.userVerification, config.verifyRegistrationOptions)
}

/** Names a user in a challenge, and in an authenticator as the user handle (WebAuthn Level 3 §14.6.1). */
export async function ownerDigest(userId: string): Promise<string> {
  return sha256(`webauthn user ${idText(userId)}`)
}
