import type { EngineFeatures } from "../../config/provider-feature.js"
import type { FeaturePage, PageOf } from "../../html/view.js"
import { isOwnAccountRoute } from "../../http/account-path.js"
import type { AuthContext } from "../../model/auth.js"
import type { CredentialKind } from "../../model/credential-kind.js"
import type { Features, Route } from "../../model/features.js"
import { onFirstUse } from "../../primitives/awaitable.js"

/** The functions of `createServer().account`. */
export const account: Features<AuthContext>["account"] = async (auth) =>
  (await import("./functions.js")).functionsOf(auth)

const isBuiltIn: Route<AuthContext>["isBuiltIn"] = ({ basePath, pages }) =>
  !isOwnAccountRoute({ basePath, account: pages.account })

export const accountRoutes: ReadonlyMap<string, Route<AuthContext>> = new Map<string, Route<AuthContext>>([
  ["GET account", { handle: onFirstUse(async () => (await import("./page.js")).accountPage), isBuiltIn }],
  // Verifies the CSRF token itself, because the account page shows the error.
  ["POST account", { handle: onFirstUse(async () => (await import("./page.js")).changeAccount) }],
])

/** @param brought what features show on the page */
export function accountPage(brought: () => Pick<EngineFeatures, "accountSections">): FeaturePage<PageOf<"account">> {
  return {
    name: "account",
    async load() {
      const { accountView } = await import("./view/page.js")
      return accountView(await Promise.all(brought().accountSections.map((load) => load())))
    },
  }
}

export const accountKinds: readonly CredentialKind<AuthContext>[] = [
  {
    name: "email-change",
    async end({ adapter }, { userId }) {
      if (adapter !== undefined) await (await import("./email-change-link.js")).endEmailChange(adapter, userId)
    },
  },
]
