import core from "@latchkey/core/providers/instagram"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/instagram"

const Instagram: LooseFactory = providerOf(core)

export default Instagram
