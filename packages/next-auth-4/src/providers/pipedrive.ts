import core, { type PipedriveProfile } from "@latchkey/core/providers/pipedrive"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/pipedrive"

const Pipedrive: ProviderFactory<PipedriveProfile> = providerOf(core, {
  authorization: { params: { scope: "openid" } },
})

export default Pipedrive
