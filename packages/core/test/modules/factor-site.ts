import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule, type Module, type ModuleParts, owner, record, text } from "@latchkey/core/module"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import {
  type Authenticator,
  type Browser,
  captureLog,
  type CapturedLog,
  createAuthenticator,
  createProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { mailbox, type Mailbox } from "../flows/signin/setup.js"

const records = { pin: record({ userId: owner(), value: text() }, { key: ["userId"] }) }

/** A factor that asks for a PIN, in as few lines as a module needs. */
export function pin(parts: Partial<NonNullable<ModuleParts<typeof records>["factor"]>> = {}, id = "pin"): Module {
  return defineModule({
    id,
    records,
    load: async () => ({
      factor: {
        amr: ["pin"],
        isRequired: async ({ records }, { user }) => (await records.pin.get({ userId: user.id })) !== null,
        form: ({ app }) => ({
          title: `Your PIN for ${app}`,
          fields: { pin: { label: "PIN", type: "password", required: true } },
          submit: "Continue",
        }),
        verify: async ({ records }, { user }, { pin }) =>
          (await records.pin.get({ userId: user.id }))?.value === pin || "The PIN is wrong.",
        ...parts,
      },
    }),
  })
}

export const ada = "ada@example.test"

export interface FactorSite {
  readonly browser: Browser
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly mail: Mailbox
  readonly log: CapturedLog
  readonly authenticator: Authenticator
  readonly op: ReturnType<typeof createProvider>
  readonly userId: string
  /** A browser of another user of the same application. */
  readonly other: Browser
  /** Signs in as Ada with a method, up to where it's held. */
  signIn(method: Method, browser?: Browser): Promise<void>
}

export const methods = ["oidc", "link", "code", "credentials", "passkey"] as const
export type Method = (typeof methods)[number]

interface Passkeys {
  readonly authenticator?: Authenticator
  readonly passkey?: ReturnType<typeof Passkey>
}

/** An application with every sign-in method, where Ada has an account of each, and a PIN. */
export async function factorSite(
  modules: readonly Module[] = [pin()],
  more: Partial<AuthConfig> = {},
  { authenticator = createAuthenticator(), passkey = Passkey() }: Passkeys = {},
): Promise<FactorSite> {
  const store = memoryAdapter()
  const clock = frozenClock()
  const mail = mailbox()
  const log = captureLog()
  const op = createProvider({ clock })
  const password = credentials({
    credentials: { name: {} },
    authorize: async ({ name }) => (name === "ada" ? store.getUserByEmail?.(ada) : null) ?? null,
  })
  const providers = [op.provider({ allowDangerousEmailAccountLinking: true }), mail.provider, password, passkey]
  const config = {
    adapter: store,
    providers,
    logger: log.logger,
    rateLimit: false as const,
    experimental: { enableWebAuthn: true },
    ...more,
  }
  await signUp(await visit(config, { clock }), { mail, authenticator, op })
  const userId = store.rows().users[0]?.id ?? ""
  for (const { id, records: kept } of modules) if (kept !== undefined) await givePin(store, userId, id)
  const withModules = { ...config, modules }
  const browser = await visit(withModules, { clock })
  return {
    browser,
    store,
    clock,
    mail,
    log,
    authenticator,
    op,
    userId,
    other: await visit(withModules, { clock }),
    async signIn(method, tab = browser) {
      switch (method) {
        case "oidc":
          return void (await tab.signInWith(op, { as: "ada", fields: { callbackUrl: "/inbox" } }))
        case "link":
          await tab.signIn("email", { email: ada, callbackUrl: "/inbox" })
          return void (await tab.get(mail.link()))
        case "code":
          await tab.signIn("email", { email: ada, callbackUrl: "/inbox" })
          return void (await tab.submitForm("callback/email", { code: mail.sent.at(-1)?.code ?? "" }))
        case "credentials":
          return void (await tab.signIn("credentials", { name: "ada", callbackUrl: "/inbox" }))
        case "passkey":
          return void (await tab.signInWithPasskey(authenticator, { fields: { callbackUrl: "/inbox" } }))
      }
    },
  }
}

/** Ada signs up with a link, and adds a passkey and an account. */
async function signUp(
  browser: Browser,
  { mail, authenticator, op }: Pick<FactorSite, "mail" | "authenticator" | "op">,
): Promise<void> {
  await browser.signIn("email", { email: ada })
  await browser.get(mail.link())
  await browser.registerPasskey(authenticator)
  await browser.signOut()
  await browser.signInWith(op, { as: "ada" })
  await browser.signOut()
}

/** The user's PIN is 1234. */
export async function givePin({ records }: Pick<MemoryAdapter, "records">, userId: string, id = "pin"): Promise<void> {
  const data = JSON.stringify({ userId, value: "1234" })
  const named = { kind: `${id}.pin`, key: userId, owner: userId, index1: null, index2: null }
  await records.insert({ ...named, data, expiresAt: null }, new Date())
}

/** Whether any response since the last navigation sets a session cookie. */
export function setsSession(responses: readonly Response[]): boolean {
  const lines = responses.flatMap(({ headers }) => headers.getSetCookie())
  return lines.some((line) => /session-token(?:\.\d+)?=[^;]/.test(line))
}
