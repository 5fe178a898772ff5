import type { EngineFeatures } from "../config/provider-feature.js"
import { account, accountKinds, accountPage, accountRoutes } from "../features/account/feature.js"
import { credentials } from "../features/credentials/feature.js"
import { email, emailKinds, emailPages, emailRoutes } from "../features/email/feature.js"
import { accountsSection, linkedAccounts, oauth, oauthKinds } from "../features/oauth/feature.js"
import { builtInPages, pageRoutes } from "../features/pages/feature.js"
import { ownPasskeys, passkeyKinds, passkeyRoutes, passkeys, passkeysSection } from "../features/passkeys/feature.js"
import { limiter } from "../features/rate-limits/feature.js"

/** Every feature, in the order in which its problems are reported. Without its lines and its folder, the rest still compiles. */
export const features: EngineFeatures = {
  providers: [oauth, email, credentials, passkeys],
  routes: new Map([...pageRoutes, ...emailRoutes, ...accountRoutes, ...passkeyRoutes]),
  pages: builtInPages(() => features),
  featurePages: [...emailPages, accountPage(() => features)],
  account,
  accountParts: [ownPasskeys, linkedAccounts],
  accountSections: [passkeysSection, accountsSection],
  // In the order in which `revoke` ends them.
  credentialKinds: [...accountKinds, ...emailKinds, ...oauthKinds, ...passkeyKinds],
  limiter,
}
