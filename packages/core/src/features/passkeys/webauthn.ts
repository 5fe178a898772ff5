import { InvalidProvider, WebAuthnVerificationError } from "../../errors.js"
import { requireOwn } from "../../http/csrf.js"
import { redirect } from "../../http/respond.js"
import { toRoute } from "../../http/redirect.js"
import { countFailures } from "../../limits/attempts.js"
import type { Method } from "../../model/auth.js"
import { loadOnce } from "../../primitives/awaitable.js"
import { withoutAttempt } from "./attempts.js"
import { finishAuthentication } from "./authentication.js"
import { answeredChallenge, takeAttempt } from "./ceremony.js"
import { passkeySteps } from "./passkey-steps.js"
import { finishRegistration } from "./registration.js"
import { passkeyProvider } from "./relying-party.js"

/** A passkey signs a challenge of this site (WebAuthn Level 3). */
export const webauthn: Method = {
  steps: passkeySteps,
  /** The browser starts with `webauthn-options`, so the sign-in route only shows the form. */
  start: async (_auth, _provider, request) => redirect(toRoute(request, "signin")),

  async finish(auth, given, request) {
    const provider = passkeyProvider(given)
    if (request.method !== "POST") throw new InvalidProvider("Passkeys are only accepted by POST")
    await requireOwn(request, "passkey")
    // Only failures count here. A passkey that works was counted with its options.
    const attempt = { action: "webauthn", counts: [WebAuthnVerificationError] } as const
    return countFailures(auth, request, attempt, async () => {
      const ceremony = await takeAttempt(auth, provider, request)
      return (ceremony.attempt.action === "register" ? finishRegistration : finishAuthentication)(ceremony)
    })
  },

  async consumedCookies(auth, _provider, request) {
    if (request.method !== "POST" || !(await request.csrf.verified())) return []
    return withoutAttempt(auth, request, answeredChallenge(request))
  },
  assertions: loadOnce(async () => (await import("./assertions.js")).assertions),
}
