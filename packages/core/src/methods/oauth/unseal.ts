import type { Payload } from "../../crypto/vault.js"
import type { Incoming } from "../../model/http.js"

/** What was sealed for this purpose; `undefined` when there is nothing, or it was not sealed by us, or is too old. */
export async function unseal(
  { realm }: Incoming,
  purpose: string,
  token: string | undefined,
): Promise<Payload | undefined> {
  if (token === undefined || token === "") return undefined
  try {
    return (await realm.vault.open(purpose, token)).payload
  } catch {
    return undefined
  }
}
