import { authenticate, equal, toHex } from "../crypto/digest.js"
import type { Runtime } from "../primitives/runtime.js"

interface MarkedTokensOptions {
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly runtime: Pick<Runtime, "random">
}

interface MarkedTokens {
  generateSessionToken(): Promise<string>
  isForCurrentName(token: string): Promise<boolean>
}

const purpose = "session token for a __Host- cookie"

/** Bytes. The rest of the token is its mark: 64 bits, which an attacker would have to match with the secret unknown. */
const randomLength = 24
const markLength = 16

/**
 * Session tokens for a `__Host-` cookie. Without a look-up, they can be told from tokens that were generated before the cookie
 * got this name, and from no others: a mark looks random without the secret.
 */
export function markedTokens({ secrets, runtime }: MarkedTokensOptions): MarkedTokens {
  const markOf = async (secret: string, random: string) =>
    (await authenticate(secret, purpose, random)).slice(0, markLength)
  return {
    async generateSessionToken() {
      const random = toHex(runtime.random(randomLength))
      return random + (await markOf(secrets[0] ?? "", random))
    },

    async isForCurrentName(token) {
      const random = token.slice(0, 2 * randomLength)
      const mark = token.slice(2 * randomLength, 2 * randomLength + markLength)
      for (const secret of secrets) if (equal(mark, await markOf(secret, random))) return true
      return false
    },
  }
}
