import core, { type BoxyHQSAMLProfile } from "@latchkey/core/providers/boxyhq-saml"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/boxyhq-saml"

const SAMLJackson: ProviderFactory<BoxyHQSAMLProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid" } },
})

export default SAMLJackson
