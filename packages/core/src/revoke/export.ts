import type { AuthContext } from "../model/auth.js"
import type { UserExport } from "../model/user-export.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { hasRows } from "../session/revocation.js"
import { disabledRecord } from "./disabled.js"
import { storedUser } from "./revoke.js"

/** Everything that is stored about a user, without secrets. */
export async function exportUser(auth: AuthContext, userId: string): Promise<UserExport> {
  const user = await storedUser(auth, userId)
  const stored = { user, ...(await rowsOf(auth, user?.id ?? userId)) }
  const disabled = await disabledRecord(auth, userId)
  return {
    ...(JSON.parse(JSON.stringify(stored, withoutSecret)) as Pick<UserExport, keyof typeof stored>),
    disabled: disabled && (JSON.parse(disabled.data) as UserExport["disabled"]),
    tokens: (await (await auth.vault?.())?.export(auth, userId)) ?? [],
    ...(await keptByModules(auth, userId)),
  }
}

/** What an application doesn't use may have no table. */
async function rowsOf(auth: AuthContext, id: string) {
  const { adapter, providers } = auth
  const hasPasskeys = [...providers.values()].some(({ type }) => type === "webauthn")
  return {
    accounts: adapter ? await adapter.listAccounts?.(id) : [],
    sessions: hasRows(auth) ? await adapter?.listSessions?.(id) : [],
    authenticators: hasPasskeys ? await adapter?.listAuthenticatorsByUserId?.(id) : [],
  }
}

async function keptByModules(
  auth: AuthContext,
  userId: string,
): Promise<Pick<UserExport, "pendingSignIns" | "modules">> {
  if (!hasSeam(auth)) return { pendingSignIns: [], modules: {} }
  const { heldExports, moduleExports } = await seamOf(auth)
  return { pendingSignIns: await heldExports(auth, userId), modules: await moduleExports(auth, userId) }
}

/** Columns of adapters, and those that an application has added. */
function withoutSecret(name: string, value: unknown): unknown {
  if (/token|secret|passw|pwd|hash|salt|seed|totp|\botp|_?pin$|(?:api|private)_?key|recovery|session_state/i.test(name))
    return undefined
  return typeof value === "bigint" ? String(value) : value
}
