import { DatabaseSync } from "node:sqlite"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import {
  apiKeys,
  type ApiKeysOptions,
  type ApiKeysServer,
  type NewApiKey,
  type RefusedKey,
  type ValidKey,
} from "@latchkey/api-keys"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Server } from "@latchkey/core/server"
import type { AccountEmail, AuthConfig, SecurityEvent } from "@latchkey/core/types"
import { sqlite } from "@latchkey/sql/sqlite"
import { type Browser, captureLog, type CapturedLog, frozenClock, type FrozenClock, visit } from "@latchkey/testing"
import { expect } from "vitest"

/** In memory, for one process. In a test, that's every process. */
function inMemory(): Adapter {
  const { records, ...adapter } = memoryAdapter()
  return { ...adapter, ...(records && { records: { ...records, atomic: "global" } }) }
}

export const stores: readonly { readonly name: string; readonly open: () => Promise<Adapter> }[] = [
  { name: "memory", open: async () => inMemory() },
  {
    name: "SQLite",
    async open() {
      const adapter = sqlite(new DatabaseSync(":memory:"))
      await adapter.migrate()
      return adapter
    },
  },
]

export const modes = ["compatible", "strict"] as const

export const day = 86_400

/** An application with API keys. Users sign in with their name. */
export interface Site {
  readonly adapter: Adapter
  readonly clock: FrozenClock
  readonly log: CapturedLog
  readonly config: AuthConfig
  /** The emails of the module. */
  readonly sent: readonly AccountEmail[]
  readonly events: readonly SecurityEvent[]
  /** Of one process. */
  readonly server: Server
  readonly keys: ApiKeysServer
  /** The functions of another process, which may have other options. */
  another(options?: Partial<ApiKeysOptions>): ApiKeysServer
  idOf(name: string): Promise<string>
  browse(): Promise<Browser>
}

interface SiteOptions extends Partial<ApiKeysOptions> {
  readonly adapter?: Adapter
  readonly config?: Partial<AuthConfig>
  /** `false`: no provider sends emails. `"broken"`: the mail server is down. @default true */
  readonly mails?: boolean | "broken"
}

export async function siteOf({ adapter, config, mails = true, ...options }: SiteOptions = {}): Promise<Site> {
  const store = adapter ?? inMemory()
  const [clock, log] = [frozenClock(), captureLog()]
  const [sent, events]: [AccountEmail[], SecurityEvent[]] = [[], []]
  const email = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: () => undefined,
    sendAccountEmail(message: AccountEmail) {
      if (mails === "broken") throw new Error("The mail server is down")
      sent.push(message)
    },
  } as const
  const byName = credentials({
    credentials: { name: {} },
    authorize: async ({ name }) => (await store.getUserByEmail?.(`${String(name)}@users.test`)) ?? null,
  })
  const make = (more: Partial<ApiKeysOptions> = {}): AuthConfig => ({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    session: { strategy: "jwt" },
    adapter: store,
    providers: [byName, ...(mails === false ? [] : [email])],
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    modules: [apiKeys({ prefix: "acme", scopes: ["read", "write"], ...options, ...more })],
    ...config,
  })
  const own = make()
  for (const name of ["ada", "grace"])
    await store.createUser?.({ id: crypto.randomUUID(), name, email: `${name}@users.test`, emailVerified: null })
  const server = createServer(own)
  return {
    adapter: store,
    clock,
    log,
    config: own,
    sent,
    events,
    server,
    keys: keysOf(server),
    another: (more) => keysOf(createServer(make(more))),
    idOf: async (name) => String((await store.getUserByEmail?.(`${name}@users.test`))?.id),
    browse: async () => visit(own, { clock }),
  }
}

function keysOf({ members }: Server): ApiKeysServer {
  return members["api-keys"] as unknown as ApiKeysServer
}

/** A key of Ada that may read and write, unless something else is asked. */
export async function newKey(site: Site, wanted: Partial<NewApiKey> = {}): Promise<{ key: string; keyId: string }> {
  const userId = await site.idOf("ada")
  const created = await site.keys.create({ userId, name: "CI", scopes: ["read", "write"], ...wanted })
  if (!created.ok) throw new Error(created.problem)
  return { key: created.key, keyId: created.apiKey.keyId }
}

export function bearing(key: string, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request("https://app.test/api/things", { headers: { authorization: `Bearer ${key}`, ...headers } })
}

type Verdict = ValidKey | RefusedKey

export function reasonOf(verdict: Verdict): string {
  return verdict.ok ? "valid" : verdict.reason
}

/** Why a key is refused, or `valid`. */
export async function check(site: Pick<Site, "keys">, key: string, scope?: string): Promise<string> {
  return reasonOf(await site.keys.verify(bearing(key), scope === undefined ? {} : { scope }))
}

/** Everything that a response says. */
export async function responseOf(verdict: Verdict): Promise<object> {
  if (verdict.ok) throw new Error("The key is valid")
  const response = verdict.toResponse()
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}

export async function signedIn(site: Site, name = "ada"): Promise<Browser> {
  const browser = await site.browse()
  await browser.signIn("credentials", { name, callbackUrl: "/auth/account" })
  expect(await browser.session()).not.toBeNull()
  return browser
}

export function keyOn({ text }: Browser): string {
  return /<li>(acme_\w+)<\/li>/.exec(text)?.[1] ?? ""
}

/** Creates a key on the account page. */
export async function createOn(browser: Browser, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  await browser.get("/auth/account")
  await browser.submitForm("api-keys/create", { keyName: "CI", days: "90", "scope:read": "yes", ...fields })
  return keyOn(browser)
}

export const named = ({ events }: Site, name: string): readonly SecurityEvent[] =>
  events.filter((event) => event.name === `api-keys.${name}`)

/** Runs it 20 times at once. */
export async function parallel<T>(run: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: 20 }, async (_, index) => run(index)))
}
