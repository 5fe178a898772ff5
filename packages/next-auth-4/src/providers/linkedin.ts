import core, { type LinkedInProfile } from "@latchkey/core/providers/linkedin"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/linkedin"

const LinkedIn: ProviderFactory<LinkedInProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid profile email" } },
})

export default LinkedIn
