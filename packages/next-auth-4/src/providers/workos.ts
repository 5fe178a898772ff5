import core, { type WorkOSOptions, type WorkOSProfile } from "@latchkey/core/providers/workos"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/workos"

const WorkOS: ProviderFactory<WorkOSProfile, Partial<WorkOSOptions>> = providerOf(core, {
  authorization: { params: { scope: "openid" } },
})

export default WorkOS
