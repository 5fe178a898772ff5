import type { AuthConfig } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import { Failure } from "../failure.js"
import { type Directory, directory, directoryId } from "./directory.js"

/** The functions of `@latchkey/password` that the commands call. */
export interface PasswordMembers {
  has(userId: string): Promise<boolean>
  importHash(userId: string, hash: string, options?: { readonly replace?: boolean }): Promise<boolean>
  formatOf(hash: string): Promise<string>
}

/** The functions of `@latchkey/mfa` that the commands call. */
export interface MfaMembers {
  importApp(userId: string, key: string): Promise<boolean>
}

/** The functions of `@latchkey/api-keys` that the commands call. */
export interface ApiKeysMembers {
  list(userId: string): Promise<readonly ListedKey[]>
  revoke(keyId: string): Promise<boolean>
}

/** A key, without its secret. */
export interface ListedKey {
  readonly keyId: string
  readonly start: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

export interface Members {
  readonly directory: Directory
  readonly password: PasswordMembers | undefined
  readonly mfa: MfaMembers | undefined
  readonly apiKeys: ApiKeysMembers | undefined
}

/** The functions of the modules of a configuration, and of one that finds users. */
export function membersIn(config: AuthConfig): Members {
  const { members } = createServer({ ...config, modules: [...(config.modules ?? []), directory()] })
  const find = (id: string, ...names: readonly string[]): unknown => {
    const functions = members[id]
    if (functions === undefined) return undefined
    const missing = names.find((name) => functions[name] === undefined)
    if (missing === undefined) return functions
    throw new Failure(`The module ${id} has no function \`${missing}\`. Update @latchkey/${id}.`)
  }
  // The names were checked, and the module returns what it declares.
  return {
    directory: find(directoryId, "find", "typed") as Directory,
    password: find("password", "has", "importHash", "formatOf") as PasswordMembers | undefined,
    mfa: find("mfa", "importApp") as MfaMembers | undefined,
    apiKeys: find("api-keys", "list", "revoke") as ApiKeysMembers | undefined,
  }
}
