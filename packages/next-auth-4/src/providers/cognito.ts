import core, { type CognitoProfile } from "@latchkey/core/providers/cognito"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/cognito"

const Cognito: ProviderFactory<CognitoProfile> = providerOf(core)

export default Cognito
