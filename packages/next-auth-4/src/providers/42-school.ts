import core, { type FortyTwoProfile } from "@latchkey/core/providers/42-school"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/42-school"

const FortyTwo: ProviderFactory<FortyTwoProfile> = providerOf(core)

export default FortyTwo
