import { QwikAuth$ } from "@latchkey/qwik"
import GitHub from "@latchkey/qwik/providers/github"

export const { csrfToken, onRequest, requireSession, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({
  providers: [GitHub],
}))
