import type { AuthContext } from "../model/auth.js"
import type { Vault } from "../model/vault.js"

/** What keeps the tokens of providers. It loads only with `tokens: true`. */
export async function vaultOf({ tokens, features }: AuthContext): Promise<Vault<AuthContext> | undefined> {
  return tokens ? features.vault?.() : undefined
}
