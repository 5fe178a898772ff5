import type { TokenPayload } from "../../model/session-strategy.js"
import type { AuthRequest } from "../../model/http.js"

/** What was sealed for this purpose; `undefined` when there is nothing, or it was not sealed by us, or is too old. */
export async function unseal(
  { scheme }: AuthRequest,
  purpose: string,
  token: string | undefined,
): Promise<TokenPayload | undefined> {
  if (token === undefined || token === "") return undefined
  try {
    return (await scheme.sealer.open(purpose, token)).payload
  } catch {
    return undefined
  }
}
