import type { AuthContext } from "../model/auth.js"
import type { Visitor } from "../model/http.js"
import type { ServerToken, TokenOptions, TokenProblem, TokenRequest, TokenUser } from "../model/provider-token.js"
import type { Account, TokenSet } from "../model/user.js"
import type { Vault } from "../model/vault.js"

/** Runs a call of the application with the configuration for the visitor. */
type Call = <T>(visitor: Visitor | undefined, work: (auth: AuthContext) => Promise<T>) => Promise<T>

const nothingKept: TokenProblem = {
  problem: "no-records",
  message: "Add `tokens: vault` of `@latchkey/core/tokens` to the configuration",
}

/** The vault loads with the first call. */
export function tokenFor(call: Call): ServerToken {
  const run = <T>(
    user: TokenUser,
    work: (vault: Vault<AuthContext>, auth: AuthContext, owner: TokenUser) => Promise<T>,
  ): Promise<T | TokenProblem> => {
    const visitor = "visitor" in user ? user.visitor : undefined
    return call(visitor, async (auth) => {
      const vault = await auth.vault?.()
      if (vault === undefined) return nothingKept
      return work(vault, auth, visitor === undefined ? user : { visitor })
    })
  }
  return Object.assign(
    async (provider: string, options: TokenUser & TokenOptions) =>
      run(options, (vault, auth, owner) => vault.token(auth, owner, provider, options)),
    {
      async fetch(provider: string, url: string | URL, options: TokenUser & TokenRequest) {
        const { visitor: _, userId: __, ...init } = options as TokenRequest & { visitor?: unknown; userId?: unknown }
        return run(options, (vault, auth, owner) => vault.fetch(auth, owner, { provider, url, init }))
      },
    },
  )
}

/** The tokens of a stored account. Without the feature, nothing has sealed them. */
export async function openedTokens(auth: AuthContext, account: Account): Promise<TokenSet> {
  return (await auth.features.providerTokens?.(auth, account)) ?? account
}
