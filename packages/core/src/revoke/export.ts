import type { Adapter } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { JsonObject } from "../model/user.js"
import type { UserExport } from "../model/user-export.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import type { Awaitable } from "../primitives/awaitable.js"
import { disabledRecord } from "./disabled.js"
import { missing } from "./kinds.js"
import { assertUserId, storedUser } from "./revoke.js"

/**
 * Everything that is stored about a user, without secrets.
 *
 * @throws UnsupportedByAdapter if the adapter stores what it can't list
 */
export async function exportUser(auth: AuthContext, userId: string): Promise<UserExport> {
  assertUserId("export", userId)
  const { adapter, strategy, security } = auth
  const user = await storedUser(auth, userId)
  const rowsOf = (list: "listAccounts" | "listSessions" | "listAuthenticatorsByUserId", isStored: unknown) =>
    isStored ? listed(adapter, list, user?.id ?? userId) : []
  const seam = hasSeam(auth) ? await seamOf(auth) : undefined
  const disabled = await disabledRecord(auth, userId)
  const stored = {
    user,
    accounts: await rowsOf("listAccounts", adapter?.linkAccount),
    sessions: await rowsOf("listSessions", strategy === "database" || security.revocableSessions),
    authenticators: await rowsOf("listAuthenticatorsByUserId", adapter?.createAuthenticator),
  }
  const kept = {
    disabled: disabled && (JSON.parse(disabled.data) as unknown),
    pendingSignIns: ((await seam?.heldOf(auth, userId)) ?? []).map(({ expiresAt }) => ({ expiresAt })),
    tokens: (await (await auth.vault?.())?.export(auth, userId)) ?? [],
    modules: (await seam?.moduleExports(auth, userId)) ?? {},
  }
  return { ...asJson(stored, withoutSecret), ...asJson(kept) } as object as UserExport
}

async function listed<M extends "listAccounts" | "listSessions" | "listAuthenticatorsByUserId">(
  adapter: Adapter | undefined,
  method: M,
  id: string,
): Promise<readonly object[]> {
  const list: ((id: string) => Awaitable<readonly object[]>) | undefined = adapter?.[method]
  if (list === undefined) throw missing(method)
  return list(id)
}

function asJson(value: object, replacer?: typeof withoutSecret): JsonObject {
  return JSON.parse(JSON.stringify(value, replacer)) as JsonObject
}

/** Columns of adapters, and those that an application has added. */
function withoutSecret(name: string, value: unknown): unknown {
  if (/token|secret|passw|hash|salt|session_state/i.test(name)) return undefined
  return typeof value === "bigint" ? String(value) : value
}
