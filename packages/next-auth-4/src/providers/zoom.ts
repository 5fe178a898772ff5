import core, { type ZoomProfile } from "@latchkey/core/providers/zoom"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/zoom"

const Zoom: ProviderFactory<ZoomProfile> = providerOf(core)

export default Zoom
