import type { Session } from "@latchkey/core/types"
import { sessionOf, tokenIn } from "./header.js"
import type { BearerOptions } from "./options.js"
import { type AccessToken, createVerifier, TokenError } from "./verify/verify.js"

type Verify = (token: string) => Promise<AccessToken>

/** One for each API, because a verifier keeps its keys. */
const verifiers = new WeakMap<BearerOptions, Map<string, Verify>>()

/** In middleware that only reads sessions: the keys are those that the site publishes. */
export async function identifyByIssuer(
  options: BearerOptions,
  issuer: string,
  { headers, origin }: { readonly headers: Headers; readonly origin: string },
): Promise<Session | null> {
  const audience = options.accepts ?? origin
  const known = verifiers.get(options) ?? new Map<string, Verify>()
  verifiers.set(options, known)
  const verify = known.get(audience) ?? createVerifier({ issuer, audience })
  if (known.size < maxAudiences) known.set(audience, verify)
  try {
    return await sessionOf(options, await verify(tokenIn(headers)), {})
  } catch (cause) {
    if (cause instanceof TokenError && cause.status === 401) return null
    throw cause
  }
}

/** A site may have several hosts. */
const maxAudiences = 20
