import type { QwikAuthConfig } from "@auth/qwik"

/** `@auth/qwik` has no passkeys for the browser. Builds with our package replace this file. */
export const passkeys: Partial<QwikAuthConfig> & Pick<QwikAuthConfig, "providers"> = { providers: [] }
