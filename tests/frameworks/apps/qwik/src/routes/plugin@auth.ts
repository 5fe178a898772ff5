import { isServer } from "@builder.io/qwik"
import { QwikAuth$ } from "@latchkey/qwik"

// This function is part of the client build, although browsers don't call it.
export const { onRequest, requireSession, update, csrfToken, token, useSession, useSignIn, useSignOut } = QwikAuth$(
  async () => {
    if (!isServer) throw new Error("Browsers have no configuration.")
    return (await import("../auth.config")).authConfig
  },
)
