import { spellingsOf } from "../../http/email-address.js"
import type { AuthContext } from "../../model/auth.js"
import type { Revoked } from "../../model/credential-kind.js"
import { missing } from "../../revoke/kinds.js"
import { endLinksTo } from "../../signin/email-links.js"

/** Links and codes that were sent to the email of the user, also before the user had it. Both share one row. */
export async function endEmailLinks({ adapter, providers }: AuthContext, { user }: Revoked): Promise<void> {
  const isSent = [...providers.values()].some(({ type }) => type === "email")
  if (!isSent || adapter === undefined || !user?.email) return
  if (adapter.deleteVerificationTokens === undefined) throw missing("deleteVerificationTokens")
  for (const spelling of identifiersOf(user.email)) await endLinksTo(adapter, spelling)
}

/** Every text of a visitor that finds the user of an email: as it's stored or compared, as it was typed, and with the root of DNS. */
function identifiersOf(email: string): ReadonlySet<string> {
  const typed = email.normalize("NFKC").toLowerCase().trim()
  const spellings = [...spellingsOf(email), typed]
  return new Set(spellings.flatMap((spelling) => [spelling, `${spelling.replace(/\.$/, "")}.`]))
}
