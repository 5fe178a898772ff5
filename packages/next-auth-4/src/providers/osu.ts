import core, { type OsuProfile } from "@latchkey/core/providers/osu"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/osu"

const Osu: ProviderFactory<OsuProfile> = providerOf(core, { name: "Osu!" })

export default Osu
