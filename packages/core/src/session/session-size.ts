import { JWTSessionError } from "../errors.js"
import { maxClaimImage, maxSessionParts } from "../limits/of-input.js"
import type { SessionContext } from "../model/auth.js"
import type { Identity } from "../model/session-strategy.js"
import type { JWT } from "../model/session.js"
import type { User } from "../model/user.js"
import { warnOfDropped } from "../observability/dropped-fields.js"
import { createThrottle } from "../observability/throttle.js"
import { stateOf } from "../primitives/state.js"

/** Characters of the value in one cookie. Safari drops cookies over 4093 bytes, name and attributes included. */
export const chunkLength = 3936

/** The claims don't fit into the cookies of a session. Nothing was written, so the session before stays. */
export class OversizedSession extends JWTSessionError {
  override name: string = JWTSessionError.name
}

export function fits(token: string): boolean {
  return token.length <= chunkLength * maxSessionParts
}

/**
 * Servers refuse a request with larger cookies, so the browser couldn't even sign out. Measured with the headers of a
 * browser: Node.js takes 15,799 characters of cookies by default, which are three full parts.
 *
 * @throws OversizedSession
 */
export function assertFits(token: string, claims: JWT): void {
  if (fits(token)) return
  const { name, length } = largest(claims)
  throw new OversizedSession(
    `The session needs ${Math.ceil(token.length / chunkLength)} cookies, and it may have ${maxSessionParts}. The largest claim is ${JSON.stringify(name)} with ${length} characters. Remove it in the \`jwt\` callback, or keep sessions in a database (\`session.strategy: "database"\`)`,
    { claim: name, characters: length },
  )
}

/** The largest number of cookies that Node.js accepts by default. */
const servedParts = 3

const throttleOf = stateOf("session-sizes", () => createThrottle({ maxListeners: 10 }))

type Warns = Pick<SessionContext, "site" | "logger" | "logSink">

/** Warns before a server refuses the requests of a browser with such a session. */
export function warnOfSize(auth: Warns, token: string, claims: JWT): void {
  const parts = Math.ceil(token.length / chunkLength)
  if (parts <= servedParts || !throttleOf(auth).allows(String(parts), auth.logSink, 0)) return
  const { name, length } = largest(claims)
  auth.logger.warn(
    "large-session",
    `A session needs ${parts} cookies with ${token.length} characters. By default, Node.js answers 431 to requests with more than ${servedParts}. The largest claim is ${JSON.stringify(name)} with ${length} characters. Remove it in the \`jwt\` callback, or keep sessions in a database (\`session.strategy: "database"\`)`,
  )
}

interface Size {
  readonly name: string
  readonly length: number
}

/** The claim that takes the most space, or the member of it that takes most of that: `"user.image"`. */
function largest(claims: object): Size {
  const claim = largestMember(claims)
  const value: unknown = Reflect.get(claims, claim.name)
  if (typeof value !== "object" || value === null || Array.isArray(value)) return claim
  const member = largestMember(value)
  return member.length * 2 < claim.length ? claim : { ...member, name: `${claim.name}.${member.name}` }
}

function largestMember(value: object): Size {
  const sizes = Object.entries(value).map(([name, member]) => ({ name, length: JSON.stringify(member)?.length ?? 0 }))
  return sizes.reduce((most, size) => (size.length > most.length ? size : most), { name: "", length: 0 })
}

/** A photo as a `data:` URL doesn't fit into cookies. The `jwt` callback still gets it as `user.image`. */
export function claimImage(auth: Warns, { user: { image }, account }: Identity): User["image"] {
  if (typeof image !== "string" || image.length <= maxClaimImage) return image
  const provider = account.provider
  const detail = `The image of a user of the provider "${provider}" has more than ${maxClaimImage} characters, so the session has none. Return a URL as \`image\` from \`profile()\``
  warnOfDropped(auth, { code: "image-too-long", provider, field: "image", detail })
  return undefined
}
