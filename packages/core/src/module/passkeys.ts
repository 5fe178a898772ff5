import { sha256 } from "../crypto/digest.js"
import { WebAuthnVerificationError } from "../errors.js"
import type { Asked, Assertions } from "../model/assertions.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { PasskeyQuestion, Passkeys } from "../module-kit/passkeys.js"

/** Seconds, as long as a sign-in waits for its factor. */
const challengeLasts = 600

const kind = "core.used-passkey-challenge"

/** @param module its id: an answer for one module is none for another */
export function passkeysFor(auth: AuthContext, request: AuthRequest, module: string): Passkeys {
  const { https, runtime, records, adapter, logger } = auth
  const { sealer } = https

  const purposeOf = ({ userId, purpose }: PasskeyQuestion): string =>
    `module passkey ${JSON.stringify([module, purpose, userId])}`

  async function ask<T>(
    { userId, among }: Omit<PasskeyQuestion, "purpose">,
    work: (assertions: Assertions<AuthContext>, asked: Asked<AuthContext>) => Promise<T>,
  ): Promise<T | null> {
    const provider = [...auth.providers.values()].find(({ type }) => type === "webauthn")
    const assertions = await (await provider?.method())?.assertions?.()
    const user = (await adapter?.getUser?.(userId)) ?? null
    if (assertions === undefined || adapter === undefined || user === null) return null
    return work(assertions, { auth, adapter, user, request, among })
  }

  /** The challenge is a token that only this question opens, so nothing is stored until it's used. */
  async function useChallenge(question: PasskeyQuestion, challenge: string): Promise<boolean> {
    try {
      await sealer.open(purposeOf(question), challenge)
    } catch {
      return false
    }
    const now = runtime.now()
    // Tokens are opened a little longer than they last, for clocks that differ.
    const expiresAt = new Date(now + 2 * challengeLasts * 1000)
    const row = { kind, key: await sha256(challenge), owner: question.userId, index1: null, index2: null, data: "{}" }
    return (await records?.insert({ ...row, expiresAt }, new Date(now))) === true
  }

  return {
    of: async (userId) => (await ask({ userId }, (assertions, owner) => assertions.of(owner))) ?? [],
    ask: (question) =>
      ask(question, async (assertions, asked) =>
        assertions.ask(asked, await sealer.seal(purposeOf(question), {}, challengeLasts)),
      ),
    verify: (question, answer) =>
      ask(question, async (assertions, asked) => {
        try {
          return await assertions.verify(asked, answer, (challenge) => useChallenge(question, challenge))
        } catch (cause) {
          if (!(cause instanceof WebAuthnVerificationError)) throw cause
          logger.debug("passkey.refused", () => ({ module, reason: cause.message }))
          return null
        }
      }),
  }
}
