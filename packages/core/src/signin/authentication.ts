import { authenticate, equal, toBase64Url } from "../crypto/digest.js"
import { clockTolerance } from "../crypto/token-sealer.js"
import type { SessionContext } from "../model/auth.js"
import { saidBy } from "../model/authentication.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { Proof } from "../model/signin.js"
import type { Authentication } from "../model/step-up.js"
import { idText } from "../session/live-session.js"

// When and how the user of a session signed in. It's written at a sign-in and never changes: a renewal proves nothing.

interface SignedIn {
  readonly userId: string
  readonly proof: Pick<Proof, "authenticated">
  readonly amr: readonly string[]
  /** The user proved a factor here, so the time at which the provider asked them doesn't matter. */
  readonly isFactorProven: boolean
  /** A module takes the sign-in for two factors. */
  readonly isAccepted: boolean
}

type Facts = Omit<Authentication, "tag">

/** What the session that starts now says. */
export async function newAuthentication(
  { secrets, runtime, modules }: Pick<SessionContext, "secrets" | "runtime" | "modules">,
  { userId, proof, amr, isFactorProven, isAccepted }: SignedIn,
): Promise<Authentication> {
  // A passkey that verified its user is a device and a gesture.
  const isStrong = isFactorProven || isAccepted || amr.includes("hwk")
  const { acr, at } = proof.authenticated ?? {}
  const facts: Facts = {
    auth_time: Math.floor(runtime.now() / 1000),
    amr: isStrong ? [...new Set([...amr, "mfa"])] : amr,
    ...(acr !== undefined && { acr }),
    ...(at !== undefined && !isFactorProven && { idp_auth_time: at }),
    ...(modules.some(({ needsCookie }) => needsCookie) && { id: toBase64Url(runtime.random(9)) }),
  }
  return { ...facts, tag: await tagOf(secrets[0] ?? "", userId, facts) }
}

/** What a session says. `undefined`: nothing that this site wrote for its user, or it's from the future, as after a wrong clock. */
export async function authenticationOf(
  { secrets, runtime }: Pick<SessionContext, "secrets" | "runtime">,
  live: LiveSession,
): Promise<Authentication | undefined> {
  const said = saidBy(live)
  if (live.userId === undefined || !isAuthentication(said)) return undefined
  if (said.auth_time > runtime.now() / 1000 + clockTolerance) return undefined
  const { tag, ...facts } = said
  for (const secret of secrets) if (equal(tag, await tagOf(secret, live.userId, facts))) return said
  return undefined
}

function isAuthentication(said: unknown): said is Authentication {
  if (typeof said !== "object" || said === null) return false
  const { auth_time, amr, tag }: Partial<Record<keyof Authentication, unknown>> = said
  return typeof auth_time === "number" && Array.isArray(amr) && typeof tag === "string"
}

const purpose = "authentication of a session"

/** Characters of the tag: 128 bits. */
const tagLength = 32

async function tagOf(secret: string, userId: string, facts: Facts): Promise<string> {
  const { auth_time, amr, acr = null, idp_auth_time = null, id } = facts
  const text = JSON.stringify([idText(userId), auth_time, amr, acr, idp_auth_time, ...(id ? [id] : [])])
  return (await authenticate(secret, purpose, text)).slice(0, tagLength)
}
