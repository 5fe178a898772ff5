import core, { type VKProfile } from "@latchkey/core/providers/vk"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/vk"

const VK: ProviderFactory<VKProfile> = providerOf(core)

export default VK
