import type { Feature } from "../../config/feature.js"
import { isOwnAccountRoute } from "../../http/account-path.js"
import type { AuthContext } from "../../model/auth.js"
import type { Route } from "../../model/features.js"
import { onFirstUse } from "../../primitives/awaitable.js"

const isBuiltIn: Route<AuthContext>["isBuiltIn"] = ({ basePath, pages }) =>
  !isOwnAccountRoute({ basePath, account: pages.account })

/** The account page, and the functions behind it. */
export const account: Feature = {
  account: async (auth) => (await import("./functions.js")).functionsOf(auth),
  routes: new Map<string, Route<AuthContext>>([
    ["GET account", { handle: onFirstUse(async () => (await import("./page.js")).accountPage), isBuiltIn }],
    // Verifies the CSRF token itself, because the account page shows the error.
    ["POST account", { handle: onFirstUse(async () => (await import("./page.js")).changeAccount) }],
  ]),
  pages: [
    {
      name: "account",
      async load(sections) {
        const { accountView } = await import("./view/page.js")
        return accountView(await Promise.all(sections.map((load) => load())))
      },
    },
  ],
  credentialKinds: [
    {
      name: "email-change",
      async end({ adapter }, { userId }) {
        if (adapter !== undefined) await (await import("./email-change-link.js")).endEmailChange(adapter, userId)
      },
    },
  ],
}
