import { AuthError, WebAuthnVerificationError } from "../../errors.js"
import { textOf } from "../../http/auth-request.js"
import { maxClientData, maxPasskeyResponse } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { VerificationOptions, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { isObject } from "../../primitives/defined.js"
import { type Attempt, readAttempts } from "./attempts.js"
import { decodeBase64, isCredentialId } from "./encoding.js"
import type { Verification } from "./library-types.js"
import { siteOf } from "./relying-party.js"
import { useChallenge } from "./used-challenges.js"

/** A response of a browser, and what it answers. */
export interface Answered extends PostedCredential {
  readonly auth: AuthContext
  readonly provider: WebAuthnProvider
  readonly request: AuthRequest
  readonly attempt: Pick<Attempt, "challenge" | "listed" | "isForeign">
}

/** A response of a browser, and the attempt that it belongs to. */
export interface Ceremony extends Answered {
  readonly attempt: Attempt
}

/**
 * Takes the attempt that this browser started with the challenge. It's good for one try, whatever comes of it.
 *
 * @throws WebAuthnVerificationError if there's none
 */
export async function takeAttempt(
  auth: AuthContext,
  provider: WebAuthnProvider,
  request: AuthRequest,
): Promise<Ceremony> {
  const posted = readCredential(request)
  const attempts = await readAttempts(auth, request)
  const attempt = attempts.find(({ challenge }) => challenge === posted?.clientData["challenge"])
  for (const used of attempt === undefined ? attempts : [attempt]) await useChallenge(auth, used)
  if (posted === undefined || attempt === undefined) {
    throw new WebAuthnVerificationError("This browser started no such sign-in, or it started too long ago. Start again")
  }
  if (attempt.provider !== provider.id || attempt.action !== request.body["action"]) {
    throw new WebAuthnVerificationError("The sign-in was started for another provider or purpose. Start again")
  }
  return { auth, provider, request, attempt, ...posted }
}

/** What a response must match (WebAuthn Level 3 §7.1 and §7.2). */
export function expectations(
  { auth, provider, request, credential, attempt }: Answered,
  options: VerificationOptions | undefined,
  requireUserVerification: boolean,
): Verification {
  const site = siteOf(auth, provider, request)
  return {
    ...options,
    response: credential,
    expectedChallenge: attempt.challenge,
    expectedOrigin: [...site.origins],
    expectedRPID: site.id,
    requireUserVerification,
  }
}

/**
 * Refuses a ceremony in a frame of another site (WebAuthn Level 3 §7.1 and §7.2, steps about `crossOrigin` and `topOrigin`),
 * unless the application expects the site. The library accepts it if the browser doesn't send `topOrigin`, and doesn't look at
 * registrations.
 */
export function assertTopLevel({ clientData }: Answered, options: VerificationOptions | undefined): void {
  const { crossOrigin, topOrigin } = clientData
  if (crossOrigin !== true && topOrigin === undefined) return
  const expected: readonly unknown[] = [options?.["expectedTopOrigin"] ?? []].flat()
  // Not every browser sends `topOrigin`.
  const isExpected = topOrigin === undefined ? expected.length > 0 : expected.includes(topOrigin)
  if (crossOrigin === true && isExpected) return
  throw new WebAuthnVerificationError("The passkey was used in a frame of another site")
}

/** Calls the library, whose errors are about what the browser sent. */
export async function verified<T extends { readonly verified: boolean }>(work: () => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new WebAuthnVerificationError(cause instanceof Error ? cause : new Error(String(cause)))
  }
  if (result.verified) return result
  throw new WebAuthnVerificationError("The signature of the passkey is wrong")
}

/** What the browser sent (`PublicKeyCredential.toJSON()`). Only these members have been checked, and only their types. */
interface Credential {
  /** Base64url. */
  readonly id: string
  readonly response: Readonly<Record<string, unknown>>
}

interface PostedCredential {
  readonly credential: Credential
  /** WebAuthn Level 3 §5.8.1. */
  readonly clientData: Readonly<Record<string, unknown>>
}

export function readCredential({ body }: Pick<AuthRequest, "body">): PostedCredential | undefined {
  try {
    const text = String(body["data"])
    if (text.length > maxPasskeyResponse) return undefined
    const data: unknown = JSON.parse(text)
    if (!isObject(data) || !isCredentialId(data["id"]) || !isObject(data["response"])) return undefined
    const { id, response } = data
    const encoded = String(response["clientDataJSON"])
    if (encoded.length > maxClientData) return undefined
    const clientData: unknown = JSON.parse(decodeText(encoded))
    return isObject(clientData) ? { credential: { ...data, id, response }, clientData } : undefined
  } catch {
    return undefined
  }
}

/** The challenge that the posted credential answers. */
export function answeredChallenge(request: AuthRequest): string | undefined {
  return textOf(readCredential(request)?.clientData["challenge"])
}

export function decodeText(base64url: string): string {
  return new TextDecoder().decode(decodeBase64(base64url))
}
