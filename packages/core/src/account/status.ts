import { sha256 } from "../crypto/digest.js"
import type { AccountStatus, AuthRequest } from "../model/http.js"

// What a form did goes into the URL of the page that follows. It's sealed for the user and the browser of the form, so a link
// can't put words on the page of another user.

const purpose = "account status"

/** Seconds. */
const maxAge = 600

const known: ReadonlySet<string> = new Set<AccountStatus["done"]>([
  "renamed",
  "passkey-removed",
  "disconnected",
  "session-ended",
  "others-ended",
  "email-sent",
  "email-changed",
  "deleted",
])

/** @param userId of the user who sees the page. `undefined`: no user is signed in anymore */
export async function sealStatus(
  request: AuthRequest,
  status: AccountStatus,
  userId: string | undefined,
): Promise<string> {
  return request.scheme.sealer.seal(purpose, { ...status, visitor: await visitorOf(request, userId) }, maxAge)
}

/** `undefined`: none, or not one of this visitor. */
export async function readStatus(request: AuthRequest, userId: string | undefined): Promise<AccountStatus | undefined> {
  const sealed = request.query["status"]
  if (sealed === undefined) return undefined
  try {
    const { done, email, visitor } = (await request.scheme.sealer.open(purpose, sealed)).payload
    if (!isDone(done) || visitor !== (await visitorOf(request, userId))) return undefined
    return { done, ...(typeof email === "string" && { email }) }
  } catch {
    return undefined
  }
}

/** Each browser has another CSRF cookie, and a sign-in replaces it. */
async function visitorOf({ scheme, cookies }: AuthRequest, userId: string | undefined): Promise<string> {
  return sha256(JSON.stringify([userId ?? null, cookies.get(scheme.cookies.csrfToken.name) ?? null]))
}

function isDone(value: unknown): value is AccountStatus["done"] {
  return typeof value === "string" && known.has(value)
}
