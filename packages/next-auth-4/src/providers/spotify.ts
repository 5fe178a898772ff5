import core, { type SpotifyProfile } from "@latchkey/core/providers/spotify"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/spotify"

const Spotify: ProviderFactory<SpotifyProfile> = providerOf(core)

export default Spotify
