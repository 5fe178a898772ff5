import core, { type AtlassianProfile } from "@latchkey/core/providers/atlassian"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/atlassian"

const Atlassian: ProviderFactory<AtlassianProfile> = providerOf(core, { checks: ["state"] })

export default Atlassian
