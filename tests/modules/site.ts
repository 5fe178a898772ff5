import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { anonymous } from "@latchkey/anonymous"
import { apiKeys } from "@latchkey/api-keys"
import { bearer } from "@latchkey/bearer"
import { customFetch } from "@latchkey/core"
import { createServer, type Server } from "@latchkey/core/server"
import { vault } from "@latchkey/core/tokens"
import type { AccountEmail, AuthConfig, VerificationRequest } from "@latchkey/core/types"
import { mfa } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import { phone, type PhoneMessage } from "@latchkey/phone"
import {
  type Browser,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"

export interface Site {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly server: Server
  readonly links: readonly VerificationRequest[]
  readonly letters: readonly AccountEmail[]
  readonly messages: readonly PhoneMessage[]
  open(): Promise<Browser>
  /** Signs in with the provider, up to where a factor is asked. */
  signIn(as: string, browser?: Browser): Promise<Browser>
  idOf(name: string): string
}

const people = Object.fromEntries(
  ["ada", "grace"].map((name) => [name, { sub: name, name, email: `${name}@users.test`, email_verified: true }]),
)

/** An application with every module, the vault, an OpenID provider and email links. */
export function siteOf(more: Partial<AuthConfig> = {}): Site {
  const [clock, store] = [frozenClock(), memoryAdapter()]
  const op = createProvider({ clock, people })
  const links: VerificationRequest[] = []
  const letters: AccountEmail[] = []
  const messages: PhoneMessage[] = []
  const { records, ...adapter } = store
  const fetch: typeof globalThis.fetch = async (input, init) => op.fetch(new Request(input, init))
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    rateLimit: false,
    session: { strategy: "database", stepUp: true },
    adapter: { ...adapter, records: { ...records, atomic: "global" } },
    tokens: vault,
    providers: [
      op.provider({ [customFetch]: fetch }),
      {
        id: "email",
        name: "Email",
        type: "email",
        sendVerificationRequest: (message) => void links.push(message),
        sendAccountEmail: (message) => void letters.push(message),
      },
    ],
    modules: [
      anonymous(),
      apiKeys({ prefix: "acme", scopes: ["read"] }),
      bearer({
        audiences: ["https://app.test"],
        clients: [{ id: "app", name: "App", redirectUris: ["app.test:/cb"] }],
      }),
      mfa(),
      password({ breached: false, hashing: { parallel: 4, waiting: 1000 } }),
      phone({ send: (message) => void messages.push(message) }),
    ],
    logger: { error() {}, warn() {}, debug() {} },
    runtime: clock.runtime,
    ...more,
  }
  const open = async () => visit(config, { clock })
  return {
    config,
    store,
    clock,
    op,
    server: createServer(config),
    links,
    letters,
    messages,
    open,
    async signIn(as, browser) {
      const tab = browser ?? (await open())
      await tab.signInWith(op, { as, fields: { callbackUrl: "https://app.test/auth/account" } })
      return tab
    },
    idOf: (name) => store.rows().users.find((user) => user.name === name)?.id ?? "",
  }
}
