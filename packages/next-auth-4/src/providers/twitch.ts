import core, { type TwitchProfile } from "@latchkey/core/providers/twitch"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/twitch"

const Twitch: ProviderFactory<TwitchProfile> = providerOf(core)

export default Twitch
