import type { TokenVault } from "../../../model/vault.js"
import { loadOnce } from "../../../primitives/awaitable.js"

export type { TokenVault }

/**
 * Keeps the tokens of providers, encrypted, and renews them. It comes with its own import, so that no other application contains it.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { vault } from "@latchkey/core/tokens"
 *
 * export const tokens: AuthConfig["tokens"] = vault
 * ```
 */
export const vault: TokenVault = { load: loadOnce(async () => (await import("./vault.js")).vault) }
