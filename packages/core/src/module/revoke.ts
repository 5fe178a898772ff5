import type { AuthContext } from "../model/auth.js"
import type { CredentialKind } from "../revoke/kinds.js"
import { moduleContext } from "./context.js"
import { installed } from "./installed.js"

/** What modules have issued to users, one kind for each module. */
export async function revokers(auth: AuthContext): Promise<readonly CredentialKind[]> {
  return (await installed(auth)).flatMap((each) => {
    const { module, parts } = each
    if (parts.revoke === undefined) return []
    return [
      {
        name: module.id,
        end: async (_, { userId, reason }) =>
          parts.revoke?.(moduleContext(auth, each, "application"), { id: userId }, reason),
      },
    ]
  })
}
