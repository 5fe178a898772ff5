import { noSecretOpens, tokenExpired } from "../crypto/token-sealer.js"
import type { JWTOptions } from "../model/config.js"
import type { SchemeContext } from "../model/session-strategy.js"

interface Opening {
  readonly jwt: JWTOptions
  readonly sealer: SchemeContext["sealer"]
  /** Cookie names that a token may be sealed for; the first is the current one. */
  readonly salts: readonly [string, ...string[]]
}

/** Why a sealed session was refused. `undefined`: it expired or was revoked, which isn't an error. */
export async function whyUnreadable(
  { jwt, sealer, salts }: Opening,
  token: string,
  formerName: string | undefined,
): Promise<string | undefined> {
  if (jwt.decode !== undefined) return "`jwt.decode` returned no claims"
  let reason: string | undefined
  for (const salt of formerName === undefined ? salts : [formerName]) {
    try {
      await sealer.open(salt, token)
      return undefined
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : ""
      if (message === tokenExpired) return undefined
      reason = message === noSecretOpens ? "none of the secrets opens it" : (reason ?? "it's damaged")
    }
  }
  return reason
}
