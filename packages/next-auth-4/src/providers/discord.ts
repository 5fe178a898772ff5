import core, { type DiscordProfile } from "@latchkey/core/providers/discord"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/discord"

const Discord: ProviderFactory<DiscordProfile> = providerOf(core)

export default Discord
