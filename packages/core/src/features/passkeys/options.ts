import { authenticate, toBase64Url, toHex } from "../../crypto/digest.js"
import { textOf } from "../../http/auth-request.js"
import { json } from "../../http/respond.js"
import { canonicalEmail, typedEmail } from "../../http/email-address.js"
import { consumeAttempt } from "../../limits/attempts.js"
import { maxPasskeys } from "../../limits/of-growth.js"
import { maxPasskeyName } from "../../limits/of-input.js"
import type { AdapterAuthenticator, AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult } from "../../model/http.js"
import type { LiveSession } from "../../model/session-strategy.js"
import type { GetUserInfo, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { customOf, requiresResident } from "../../provider-kit/passkey-config.js"
import { liveSession } from "../../session/current.js"
import { idText, isRecentSignIn } from "../../session/live-session.js"
import { userOfSession, userWithEmail } from "../../signin/stored-users.js"
import { type Attempt, writeAttempt } from "./attempts.js"
import { fromHex } from "./encoding.js"
import type { Action, Descriptor } from "./library-types.js"
import { libraryOf } from "./library.js"
import {
  type Site,
  algorithmsOf,
  authenticationPolicy,
  callbackParams,
  ownerDigest,
  passkeyProvider,
  registrationPolicy,
  siteOf,
} from "./relying-party.js"
import { type PasskeyAdapter, adapterOf, descriptorOf } from "./stored-passkeys.js"

interface Situation {
  readonly auth: AuthContext
  readonly adapter: PasskeyAdapter
  readonly provider: WebAuthnProvider
  readonly request: AuthRequest
  readonly current: CurrentUser | null
}

interface CurrentUser {
  readonly user: AdapterUser
  readonly live: LiveSession
}

type UserInfo = Awaited<ReturnType<GetUserInfo>>

/** GET webauthn-options/:provider, which a browser asks for before it uses or creates a passkey. */
export async function passkeyOptions(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const provider = passkeyProvider(auth.providers.get(request.providerId ?? ""))
  // A challenge is only good in the browser that asked for it, and HEAD has no body.
  if (request.method === "HEAD") return { kind: "empty", status: 200, cookies: [] }
  const { action } = request.query
  if (action !== undefined && action !== "register" && action !== "authenticate") return refuse("Invalid action")
  await consumeAttempt(auth, request, { action: "webauthn" })
  const adapter = adapterOf(auth)
  const current = await currentUser(auth, adapter, request)
  if (current !== null && action === undefined) return refuse("Invalid request")
  const situation = { auth, adapter, provider, request, current }
  return action === "register" ? registration(situation) : authentication(situation)
}

function refuse(error: string, status = 400): AuthResult {
  return json({ error }, [], status)
}

async function currentUser(
  auth: AuthContext,
  adapter: PasskeyAdapter,
  request: AuthRequest,
): Promise<CurrentUser | null> {
  const live = await liveSession(auth, request)
  const user = await userOfSession(adapter, live)
  return live === null || user === null ? null : { user, live }
}

async function answer(
  { auth, provider, request, current }: Situation,
  action: Action,
  options: object,
  attempt: Pick<Attempt, "user" | "listed" | "handle">,
): Promise<AuthResult> {
  const challenge = "challenge" in options ? String(options.challenge) : ""
  const signedIn = current === null ? undefined : idText(current.user.id)
  const started = { ...attempt, challenge, action, provider: provider.id, signedIn }
  return json({ action, options }, [await writeAttempt(auth, request, started)])
}

async function authentication(situation: Situation): Promise<AuthResult> {
  const { auth, provider, request } = situation
  const { config } = provider
  const listing = await listingFor(situation)
  const library = await libraryOf(auth, provider)
  const options = await library.generateAuthenticationOptions({
    ...config.authenticationOptions,
    userVerification: authenticationPolicy(config).asked,
    challenge: auth.runtime.random(32),
    rpID: siteOf(auth, provider, request).id,
    allowCredentials: listing?.credentials,
  })
  return answer(situation, "authenticate", options, { listed: listing?.owner })
}

interface Listing {
  readonly credentials: readonly Descriptor[]
  readonly owner: string
}

/** The passkeys that may sign in. `undefined`: any passkey of this site that the browser has. */
async function listingFor({ auth, adapter, provider, request, current }: Situation): Promise<Listing | undefined> {
  if (current !== null) return listingOf(adapter, current.user)
  const info = requiresResident(provider.config) ? null : await userInfoOf(auth, provider, request)
  if (info === null) return undefined
  const listing = info.exists ? await listingOf(adapter, info.user) : await emptyListing(auth, adapter)
  if (listing.credentials.length > 0) return listing
  const { email } = info.user
  const name = typeof email === "string" ? canonicalEmail(email) : JSON.stringify(info.user)
  return { credentials: await decoysFor(auth, provider, name), owner: toHex(auth.runtime.random(32)) }
}

/** As many queries as for a known user, so that the time doesn't tell whether there is one. */
async function emptyListing({ runtime }: AuthContext, adapter: PasskeyAdapter): Promise<Listing> {
  const none = { credentials: [], owner: "" }
  // A database with numbers as ids refuses a random one.
  return listingOf(adapter, { id: runtime.uuid() }).catch(() => none)
}

async function listingOf(adapter: PasskeyAdapter, { id = "" }: { readonly id?: string }): Promise<Listing> {
  // Some adapters return `null` for none.
  const passkeys: readonly AdapterAuthenticator[] | null = await adapter.listAuthenticatorsByUserId(id)
  return { credentials: (passkeys ?? []).map(descriptorOf), owner: await ownerDigest(id) }
}

/** What Windows Hello, Google and Apple, and security keys make: the length of the id and the transports. */
const decoys = [
  { bytes: 32, transports: ["internal"] },
  { bytes: 16, transports: ["hybrid", "internal"] },
  { bytes: 20, transports: ["hybrid", "internal"] },
  { bytes: 48, transports: ["nfc", "usb"] },
] as const

/**
 * One or two credentials that don't exist, the same ones each time, so that an attacker can't learn which emails have an
 * account (WebAuthn Level 3 §14.6.2).
 */
async function decoysFor(auth: AuthContext, provider: WebAuthnProvider, name: string): Promise<readonly Descriptor[]> {
  const seed = (part: number) => decoySeed(auth, `${provider.id} ${name} ${part}`)
  const first = await seed(0)
  const hasTwo = (first[62] ?? 0) % 3 === 0
  return (hasTwo ? [first, await seed(1)] : [first]).map(decoyOf)
}

function decoyOf(seed: Uint8Array): Descriptor {
  const { bytes, transports } = decoys[(seed[63] ?? 0) % decoys.length] ?? decoys[0]
  return { id: toBase64Url(seed.subarray(0, bytes)), transports }
}

/** 64 bytes. */
async function decoySeed({ secrets }: AuthContext, text: string): Promise<Uint8Array> {
  const half = (part: string) => authenticate(secrets[0] ?? "", "webauthn decoy", `${text} ${part}`)
  return fromHex((await half("a")) + (await half("b")))
}

async function registration(situation: Situation): Promise<AuthResult> {
  const { auth, provider, request, current } = situation
  if (await mustSignInAgain(auth, request, current)) return refuse("Sign in again first", 403)
  const registrant = await (current === null ? newUser(situation) : signedInUser(situation, current.user))
  if (registrant === undefined) return refuse("Invalid request")
  if ((registrant.exclude?.length ?? 0) >= maxPasskeys) return refuse("Too many passkeys")
  const { user, email, handle, exclude } = registrant
  const library = await libraryOf(auth, provider)
  const options = await library.generateRegistrationOptions({
    ...optionsOf(provider),
    supportedAlgorithmIDs: algorithmsOf(provider.config),
    challenge: auth.runtime.random(32),
    userID: handle,
    userName: email,
    userDisplayName: current?.user.name ?? email,
    ...relyingPartyOf(siteOf(auth, provider, request)),
    excludeCredentials: exclude,
  })
  return answer(situation, "register", options, { user, handle: toBase64Url(handle) })
}

async function mustSignInAgain(auth: AuthContext, request: AuthRequest, current: CurrentUser | null): Promise<boolean> {
  return current !== null && (needsRecentSignIn(auth, current) || (await needsFactor(auth, request)))
}

/** A passkey that verifies its user signs in without the second factor. */
export async function needsFactor(auth: AuthContext, request: AuthRequest): Promise<boolean> {
  return auth.stepUp && (await import("../../signin/step-up.js")).lacksFactor(auth, request)
}

function needsRecentSignIn({ security, runtime }: AuthContext, { live }: CurrentUser): boolean {
  return security.linking === "explicit" && !isRecentSignIn(live.authenticatedAt, runtime.now())
}

/** Whom a passkey is for. */
interface Registrant {
  readonly user: Attempt["user"]
  readonly email: string
  /** WebAuthn Level 3 §5.4.3. */
  readonly handle: Uint8Array
  /** An authenticator with one of these refuses to make another one. */
  readonly exclude?: readonly Descriptor[]
}

async function signedInUser({ adapter }: Situation, { id, email }: AdapterUser): Promise<Registrant | undefined> {
  if (typeof email !== "string") return undefined
  const { credentials, owner } = await listingOf(adapter, { id })
  // Without the name and image, which may be too long for a cookie. The callback reads the stored user.
  return { user: { id: idText(id), email }, email, handle: fromHex(owner), exclude: credentials }
}

/** The answer is the same whether or not the email has an account. An existing one is refused at the end. */
async function newUser({ auth, provider, request }: Situation): Promise<Registrant | undefined> {
  const info = auth.security.passkeySignUp ? await userInfoOf(auth, provider, request) : null
  const email = textOf(info?.user.email)
  if (info === null || email === undefined) return undefined
  return { user: info.exists ? { email } : { ...info.user, id: undefined }, email, handle: auth.runtime.random(32) }
}

function optionsOf({ config }: WebAuthnProvider): Readonly<Record<string, unknown>> {
  const { registrationOptions: given } = config
  const userVerification = registrationPolicy(config).asked
  const defaults = { residentKey: "preferred" }
  return { ...given, authenticatorSelection: { ...defaults, ...given?.authenticatorSelection, userVerification } }
}

function relyingPartyOf({ id, name }: Site): { readonly rpID: string; readonly rpName: string } {
  return { rpID: id, rpName: name }
}

async function userInfoOf(auth: AuthContext, provider: WebAuthnProvider, request: AuthRequest): Promise<UserInfo> {
  // The default compares emails exactly.
  const { getUserInfo } = customOf(provider.config)
  if (getUserInfo !== undefined) {
    return (await getUserInfo.apply(provider.config, callbackParams(auth, provider, request))) ?? null
  }
  const typed = textOf(request.query["email"])
  const email = typed === undefined ? undefined : identifierOf(auth, typed)
  if (email === undefined) return null
  const user = await userWithEmail(adapterOf(auth), email)
  // The email as it was typed: another spelling in the response would tell that it's stored.
  return user === null ? { user: { email }, exists: false } : { user: { ...user, email }, exists: true }
}

/** Auth.js v5 takes any text as the email, and some applications ask for a user name there. */
function identifierOf({ rules }: AuthContext, typed: string): string | undefined {
  // PostgreSQL fails on U+0000, and no user name has a control character.
  if (typed.length > maxPasskeyName || /\p{Cc}/u.test(typed)) return undefined
  try {
    return typedEmail(typed, rules)
  } catch {
    return rules.asciiEmails ? undefined : typed
  }
}
