import core, { type OktaProfile } from "@latchkey/core/providers/okta"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/okta"

const Okta: ProviderFactory<OktaProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Okta
