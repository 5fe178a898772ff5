import core, { type SalesforceProfile } from "@latchkey/core/providers/salesforce"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/salesforce"

const Salesforce: ProviderFactory<SalesforceProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { display: "page", scope: "openid" } },
})

export default Salesforce
