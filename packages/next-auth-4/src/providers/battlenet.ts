import core, { type BattleNetProfile } from "@latchkey/core/providers/battlenet"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/battlenet"

const BattleNet: ProviderFactory<BattleNetProfile> = providerOf(core)

export default BattleNet
