import { vault } from "@latchkey/core/tokens"
import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { customFetch } from "@latchkey/core"
import { type Server, createServer } from "@latchkey/core/server"
import type { AuthConfig, OIDCConfig, SecurityEvent } from "@latchkey/core/types"
import {
  type Answer,
  type Browser,
  type CapturedLog,
  type FakeProvider,
  type FrozenClock,
  type RecordedRequest,
  captureLog,
  createProvider,
  frozenClock,
  visit,
} from "@latchkey/testing"
import { secret, visitorOf } from "../account/setup.js"

export type Served = (request: Request) => Response | Promise<Response>

export interface VaultSite {
  readonly config: AuthConfig
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly store: MemoryAdapter
  readonly log: CapturedLog
  readonly security: readonly SecurityEvent[]
  readonly server: Server<unknown>
  readonly browser: Browser
  /** Requests of the vault: refreshes and revocations at the provider, calls of the API. */
  readonly refreshes: () => readonly RecordedRequest[]
  readonly revoked: readonly { readonly token: string; readonly hint: string }[]
  readonly calls: readonly Request[]
  /** Answers in place of the provider's token endpoint, API or revocation endpoint. */
  readonly answers: { token?: Served | undefined; api?: Served | undefined; revocation?: Served | undefined }
  /** The id of the only user, or of the user with this name. */
  userId(name?: string): string
  signIn(as?: string, browser?: Browser): Promise<Browser>
  /** `server.token` for the user of the browser. */
  token(options?: Parameters<Server["token"]>[1] | object): ReturnType<Server["token"]>
  /** Changes each token response of the provider. */
  respond(change: (answer: Answer) => Answer): () => void
}

export interface VaultOptions extends Partial<AuthConfig> {
  readonly mode?: "strict" | "compatible"
  readonly provider?: Partial<OIDCConfig>
  readonly withoutAdapter?: boolean
}

/** A site that keeps tokens, a provider that rotates refresh tokens, and an API at `https://api.test`. */
export async function vaultSite({ provider, withoutAdapter, mode, ...more }: VaultOptions = {}): Promise<VaultSite> {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const store = memoryAdapter()
  const log = captureLog()
  const security: SecurityEvent[] = []
  const revoked: { token: string; hint: string }[] = []
  const calls: Request[] = []
  const answers: VaultSite["answers"] = {}
  async function call(request: Request): Promise<Response> {
    calls.push(request.clone())
    return (await answers.api?.(request)) ?? Response.json({ ok: true })
  }
  async function revoke(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.clone().text())
    revoked.push({ token: form.get("token") ?? "", hint: form.get("token_type_hint") ?? "" })
    return (await answers.revocation?.(request)) ?? new Response(null, { status: 200 })
  }
  async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const { host, pathname } = new URL(request.url)
    if (host !== "op.test") return call(request)
    if (pathname === "/revoke") return revoke(request)
    const isRefresh = pathname.endsWith("/token") && (await request.clone().text()).includes("refresh_token")
    if (isRefresh && answers.token !== undefined) {
      await op.fetch(request.clone())
      return answers.token(request)
    }
    return op.fetch(request)
  }
  const tokens = { revocation: "https://op.test/revoke", hosts: ["api.test", "*.apis.test"] }
  const config: AuthConfig = {
    secret,
    trustHost: true,
    ...(withoutAdapter === true ? { records: store.records } : { adapter: store }),
    providers: [op.provider({ [customFetch]: fetch, tokens, ...provider })],
    tokens: vault,
    logger: log.logger,
    events: { security: (event) => void security.push(event) },
    rateLimit: false,
    ...(mode !== undefined && { security: mode, url: "https://app.test" }),
    ...more,
    runtime: clock.runtime,
  }
  const server = createServer(config) as Server<unknown>
  const browser = await visit(config, { clock })
  const site: VaultSite = {
    config,
    clock,
    op,
    store,
    log,
    security,
    server,
    browser,
    refreshes: () => op.requestsTo("token").filter(({ form }) => form.get("grant_type") === "refresh_token"),
    revoked,
    calls,
    answers,
    userId: (name) => {
      const found = store.rows().users.find((user) => name === undefined || user.name?.toLowerCase().startsWith(name))
      return found?.id ?? ""
    },
    async signIn(as = "ada", at = browser) {
      await at.signInWith(op, { as })
      return at
    },
    token: (options = {}) => server.token("op", { visitor: visitorOf(browser), ...options }),
    respond: (change) => op.inject({ token: change }),
  }
  return site
}

export const minutes = (count: number) => ({ seconds: count * 60 })
