import type { AccountStatus, AuthRequest } from "../model/http.js"

// What a form did goes into the URL of the page that follows. It's sealed, so a link can't put words on the page.

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

export async function sealStatus({ scheme }: Pick<AuthRequest, "scheme">, status: AccountStatus): Promise<string> {
  return scheme.sealer.seal(purpose, { ...status }, maxAge)
}

/** `undefined`: none, or not one of this site. */
export async function readStatus({ scheme, query }: AuthRequest): Promise<AccountStatus | undefined> {
  const sealed = query["status"]
  if (sealed === undefined) return undefined
  try {
    const { done, email } = (await scheme.sealer.open(purpose, sealed)).payload
    if (!isDone(done)) return undefined
    return { done, ...(typeof email === "string" && { email }) }
  } catch {
    return undefined
  }
}

function isDone(value: unknown): value is AccountStatus["done"] {
  return typeof value === "string" && known.has(value)
}
