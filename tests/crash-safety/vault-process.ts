// A process that asks for the same access token many times at once.
import { createServer } from "@latchkey/core/server"
import type { TokenResult } from "@latchkey/core/types"
import { type OpenRecords, openRecords, type Place } from "./record-stores.js"
import { vaultConfig, type VaultProvider } from "./vault-config.js"

export type VaultOrder =
  | { readonly kind: "open"; readonly place: Place; readonly provider: VaultProvider }
  | { readonly kind: "ask"; readonly times: number; readonly userId: string }

let opened: OpenRecords | undefined
let server: ReturnType<typeof createServer> | undefined

process.on("message", (order: VaultOrder) => {
  void obey(order).then(
    (results) => process.send?.({ results }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  )
})

async function obey(order: VaultOrder): Promise<readonly TokenResult[]> {
  if (order.kind === "open") {
    opened = openRecords(order.place)
    await opened.records.get("tokens.none", "")
    server = createServer(vaultConfig(opened.records, order.provider))
    return []
  }
  const { times, userId } = order
  return Promise.all(Array.from({ length: times }, async () => asked(userId)))
}

async function asked(userId: string): Promise<TokenResult> {
  if (server === undefined) throw new Error("The process has no server")
  return server.token("op", { userId })
}
