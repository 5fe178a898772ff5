import type { AuthContext } from "../model/auth.js"
import type { UserExport } from "../model/user-export.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { disabledRecord } from "./disabled.js"
import { storedUser } from "./revoke.js"

/** Everything that is stored about a user, without secrets. */
export async function exportUser(auth: AuthContext, userId: string): Promise<UserExport> {
  const { adapter, strategy, security, providers } = auth
  const user = await storedUser(auth, userId)
  const id = user?.id ?? userId
  const seam = hasSeam(auth) ? await seamOf(auth) : undefined
  const disabled = await disabledRecord(auth, userId)
  // What an application doesn't use may have no table.
  const hasRows = strategy === "database" || security.revocableSessions
  const hasPasskeys = [...providers.values()].some(({ type }) => type === "webauthn")
  const stored = {
    user,
    accounts: adapter ? await adapter.listAccounts?.(id) : [],
    sessions: hasRows ? await adapter?.listSessions?.(id) : [],
    authenticators: hasPasskeys ? await adapter?.listAuthenticatorsByUserId?.(id) : [],
  }
  return {
    ...(JSON.parse(JSON.stringify(stored, withoutSecret)) as Pick<UserExport, keyof typeof stored>),
    disabled: disabled && (JSON.parse(disabled.data) as UserExport["disabled"]),
    pendingSignIns: (await seam?.heldExports(auth, userId)) ?? [],
    tokens: (await (await auth.vault?.())?.export(auth, userId)) ?? [],
    modules: (await seam?.moduleExports(auth, userId)) ?? {},
  }
}

/** Columns of adapters, and those that an application has added. */
function withoutSecret(name: string, value: unknown): unknown {
  if (/token|secret|passw|hash|salt|session_state/i.test(name)) return undefined
  return typeof value === "bigint" ? String(value) : value
}
