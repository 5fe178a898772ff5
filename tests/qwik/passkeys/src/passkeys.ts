import type { QwikAuthConfig } from "@auth/qwik"
import Passkey from "@auth/qwik/providers/passkey"

export const passkeys: Partial<QwikAuthConfig> & Pick<QwikAuthConfig, "providers"> = {
  experimental: { enableWebAuthn: true },
  providers: [Passkey],
}
