import { type EngineFeatures, together } from "../config/feature.js"
import { account } from "../features/account/feature.js"
import { credentials } from "../features/credentials/feature.js"
import { email } from "../features/email/feature.js"
import { oauth } from "../features/oauth/feature.js"
import { pages } from "../features/pages/feature.js"
import { passkeys } from "../features/passkeys/feature.js"
import { rateLimits } from "../features/rate-limits/feature.js"

/** Every feature. Without its name here and its folder, the rest still compiles. */
export const features: EngineFeatures = together([account, email, credentials, passkeys, oauth, pages, rateLimits])
