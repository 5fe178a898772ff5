import type { EngineFeatures } from "../config/provider-feature.js"
import { account, accountKinds, accountPage, accountRoutes } from "../features/account/feature.js"
import { credentials } from "../features/credentials/feature.js"
import { email, emailKinds, emailPages, emailRoutes } from "../features/email/feature.js"
import { accountsSection, linkedAccounts, oauth, oauthKinds } from "../features/oauth/feature.js"
import { builtInPages, pageRoutes } from "../features/pages/feature.js"
import { ownPasskeys, passkeyKinds, passkeyRoutes, passkeys, passkeysSection } from "../features/passkeys/feature.js"

/** In the order in which their problems are reported. */
const providers = [oauth, email, credentials, passkeys]

const pages = [...emailPages, accountPage([passkeysSection, accountsSection])]

/** Every feature. Without its lines and its folder, the rest still compiles. */
export const features: EngineFeatures = {
  providers,
  routes: new Map([...pageRoutes, ...emailRoutes, ...accountRoutes, ...passkeyRoutes]),
  pages: builtInPages({ providers, pages }),
  account,
  accountParts: [ownPasskeys, linkedAccounts],
  // In the order in which `revoke` ends them.
  credentialKinds: [...accountKinds, ...emailKinds, ...oauthKinds, ...passkeyKinds],
}
