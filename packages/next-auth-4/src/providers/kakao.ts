import core, { type KakaoProfile } from "@latchkey/core/providers/kakao"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/kakao"

const Kakao: ProviderFactory<KakaoProfile> = providerOf(core)

export default Kakao
