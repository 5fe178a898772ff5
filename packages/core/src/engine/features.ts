import type { EngineFeatures } from "../config/provider-feature.js"
import { credentials } from "../features/credentials/feature.js"
import { email } from "../features/email/feature.js"
import { oauth } from "../features/oauth/feature.js"
import { passkeys } from "../features/passkeys/feature.js"
import { limiter } from "../features/rate-limits/feature.js"

/** Every feature, in the order in which its problems are reported. Without its line and its folder, the rest still compiles. */
export const features: EngineFeatures = {
  providers: [oauth, email, credentials, passkeys],
  credentialKinds: [],
  limiter,
}
