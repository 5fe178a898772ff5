import type { AuthContext } from "../../model/auth.js"
import type { Account, TokenSet } from "../../model/user.js"

const secret = ["access_token", "refresh_token", "id_token"] as const

const purpose = "provider tokens"

/** Sealed tokens live as long as their account. Seconds. */
const forever = 100 * 365 * 86_400

/** The account as it may be stored, depending on `security.providerTokens`. */
export async function keepTokens(auth: AuthContext, account: Account): Promise<Account> {
  const mode = auth.security.providerTokens
  if (mode === "plain") return account
  const entries = Object.entries(account).filter(([name]) => !isSecret(name))
  if (mode === "sealed") {
    for (const name of secret) {
      const value = account[name]
      if (value !== undefined) entries.push([name, await auth.https.sealer.seal(purpose, { value }, forever)])
    }
  }
  // The same account with some optional members left out.
  return Object.fromEntries(entries) as unknown as Account
}

/** The tokens of a stored account. Tokens that weren't sealed are returned unchanged. */
export async function openTokens(auth: AuthContext, account: Account): Promise<TokenSet> {
  const tokens: Record<string, unknown> = { ...account }
  for (const name of secret) {
    const sealed = account[name]
    if (sealed === undefined) continue
    try {
      tokens[name] = (await auth.https.sealer.open(purpose, sealed)).payload["value"]
    } catch {
      // Stored before sealing was turned on.
    }
  }
  return tokens as TokenSet
}

function isSecret(name: string): boolean {
  return secret.some((each) => each === name)
}
