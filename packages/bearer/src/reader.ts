import type { Session } from "@latchkey/core/types"
import { audienceOf, sessionOf, tokenIn } from "./header.js"
import type { BearerOptions } from "./options.js"
import { type AccessToken, createVerifier, TokenError } from "./verify/verify.js"

/** One for each configuration, because a verifier keeps its keys. */
const verifiers = new WeakMap<BearerOptions, (token: string) => Promise<AccessToken>>()

/** In middleware that only reads sessions: the keys are those that the site publishes. */
export async function identifyByIssuer(
  options: BearerOptions,
  issuer: string,
  headers: Headers,
): Promise<Session | null> {
  const verify = verifiers.get(options) ?? createVerifier({ issuer, audience: audienceOf(options, issuer) })
  verifiers.set(options, verify)
  try {
    return await sessionOf(options, await verify(tokenIn(headers)), {})
  } catch (cause) {
    if (cause instanceof TokenError && cause.status === 401) return null
    throw cause
  }
}
