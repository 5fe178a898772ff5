import core, { type GoogleProfile } from "@latchkey/core/providers/google"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/google"

const Google: ProviderFactory<GoogleProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Google
