import core, { type TwitterProfile } from "@latchkey/core/providers/twitter"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/twitter"

/** The profile of Twitter's OAuth 1.0, which isn't supported. */
export interface TwitterLegacyProfile {
  id: number
  id_str: string
  name: string
  screen_name: string
  profile_image_url_https: string
  email?: string
  [field: string]: unknown
}

/** `version: "2.0"` is required: the default of version 4 is OAuth 1.0. */
const Twitter: ProviderFactory<TwitterProfile> = providerOf(core, ({ version = "1.0A" }: { version?: string }) => ({
  version,
}))

export default Twitter
