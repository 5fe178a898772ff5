import core, { type YandexProfile } from "@latchkey/core/providers/yandex"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/yandex"

const Yandex: ProviderFactory<YandexProfile> = providerOf(core)

export default Yandex
