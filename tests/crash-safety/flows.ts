import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import {
  type Authenticator,
  type Browser,
  createAuthenticator,
  createProvider,
  type FakeProvider,
  frozenClock,
  visit,
} from "@latchkey/testing"
import { answer, issue, send } from "../../packages/core/test/methods/webauthn/setup.js"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { trackLink, trackSecret } from "../../packages/testing/src/secrets.js"
import type { Setting } from "./site.js"

/** A process that serves the application. It shares the database with others, and nothing else. */
export interface Process {
  readonly visitor: Browser
  readonly providers: Readonly<Record<"first" | "second" | "third", FakeProvider>>
  readonly mail: readonly Message[]
  /** Of the user whom the flows are about. */
  readonly authenticator: Authenticator
}

interface Message {
  readonly url: string
  readonly code: string | undefined
}

/** Of the user whom the flows are about. */
export const name = "ada"

/** The user changes their email to that of another account at their provider. */
const nextName = "grace"

export const emailOf = (as: string): string => `${as}@example.test`

interface Memory {
  readonly authenticator?: Authenticator
  /** Waits for other processes. */
  readonly sleep?: (milliseconds: number) => Promise<void>
}

export async function processOver(
  adapter: Adapter,
  { mode, strategy }: Setting,
  { authenticator = createAuthenticator(), sleep }: Memory = {},
): Promise<Process> {
  // A clock of its own makes a process of its own: nothing in memory is shared.
  const clock = frozenClock()
  const providerOf = (id: string) => createProvider({ clock, id, issuer: `https://${id}.test` })
  const providers = { first: providerOf("first"), second: providerOf("second"), third: providerOf("third") }
  const mail: Message[] = []
  const keep = (url: string, code?: string) => {
    trackLink(url)
    if (code !== undefined) trackSecret("code", code)
    mail.push({ url, code })
  }
  const config: AuthConfig = {
    secret: strongSecret,
    url: "https://app.test/auth",
    adapter,
    security: { mode, passkeySignUp: true, newestEmailLinkOnly: false },
    // Each read extends the session.
    session: { strategy, updateAge: 0 },
    rateLimit: false,
    experimental: { enableWebAuthn: true },
    providers: [
      ...Object.values(providers).map((each) => each.provider()),
      ...(adapter.createAuthenticator === undefined ? [] : [passkey()]),
      {
        id: "email",
        name: "Email",
        type: "email",
        code: true,
        sendVerificationRequest: ({ url, code }) => keep(url, code),
        sendAccountEmail: ({ kind, url }) => (kind === "confirm" ? keep(url) : undefined),
      },
      credentials({
        id: "password",
        credentials: { email: {} },
        authorize: async ({ email }) => (await adapter.getUserByEmail?.(String(email))) ?? null,
      }),
    ],
    runtime: { ...clock.runtime, ...(sleep && { sleep }) },
  }
  return { visitor: await visit(config, { clock }), providers, mail, authenticator }
}

/** The last request of a flow, which decides. */
export type Finish = () => Promise<unknown>

/** What a user does, in a tab of a browser. */
export interface Flow {
  readonly title: string
  /** The tab has a session of the user. */
  readonly isSignedIn: boolean
  /** Goes as far as the last request. */
  start(process: Process, tab: Browser, as: string): Promise<Finish>
}

const visitor = (title: string, start: Flow["start"]): Flow => ({ title, isSignedIn: false, start })
const user = (title: string, start: Flow["start"]): Flow => ({ title, isSignedIn: true, start })

const csrf = async (tab: Browser) => (await tab.csrf()) ?? ""

const oauth =
  (at: keyof Process["providers"], fields: Record<string, string> = {}): Flow["start"] =>
  async ({ providers }, tab, as) => {
    const provider = providers[at]
    provider.people[as] ??= { sub: as, email: emailOf(as), email_verified: true }
    await tab.post(`/auth/signin/${provider.id}`, { csrfToken: await csrf(tab), ...fields })
    const response = await provider.authorize(tab.location, { as })
    return () => tab.follow(response, provider.issuer)
  }

const asNext =
  (start: Flow["start"]): Flow["start"] =>
  (process, tab) =>
    start(process, tab, nextName)

async function requestLink({ mail }: Process, tab: Browser, as: string): Promise<Message> {
  await tab.signIn("email", { email: emailOf(as) })
  const message = mail.at(-1)
  if (message === undefined) throw new Error("No message was sent")
  return message
}

const emailLink: Flow["start"] = async (process, tab, as) => {
  const { url } = await requestLink(process, tab, as)
  return () => tab.get(url)
}

const emailCode: Flow["start"] = async (process, tab, as) => {
  const { code = "" } = await requestLink(process, tab, as)
  const csrfToken = await csrf(tab)
  return () => tab.post("/auth/callback/email", { csrfToken, code })
}

const passkeySignUp: Flow["start"] = async (_, tab, as) => {
  const response = await answer(createAuthenticator(), await issue(tab, { action: "register", email: emailOf(as) }))
  return () => send(tab, "register", response)
}

const addPasskey: Flow["start"] = async (_, tab) => {
  const response = await answer(createAuthenticator(), await issue(tab, { action: "register" }))
  return () => send(tab, "register", response)
}

const usePasskey: Flow["start"] = async ({ authenticator }, tab) => {
  const response = await answer(authenticator, await issue(tab, { action: "authenticate" }))
  return () => send(tab, "authenticate", response)
}

const password: Flow["start"] = async (_, tab, as) => {
  const csrfToken = await csrf(tab)
  return () => tab.post("/auth/callback/password", { csrfToken, email: emailOf(as) })
}

const signOut: Flow["start"] = async (_, tab) => {
  const csrfToken = await csrf(tab)
  return () => tab.post("/auth/signout", { csrfToken })
}

/** A form of the account page. */
const form =
  (action: string, fieldsOf: (process: Process, as: string) => Record<string, string> = () => ({})): Flow["start"] =>
  async (process, tab, as) => {
    const fields = { csrfToken: await csrf(tab), action, ...fieldsOf(process, as) }
    return () => tab.post("/auth/account", fields)
  }

const changeEmail: Flow["start"] = async (process, tab, as) => {
  await (await form("change-email", () => ({ email: emailOf(nextName) }))(process, tab, as))()
  const { searchParams } = new URL(process.mail.at(-1)?.url ?? "")
  return form("confirm-email", () => ({
    token: searchParams.get("token") ?? "",
    email: searchParams.get("email") ?? "",
  }))(process, tab, as)
}

/** There is no user yet. */
export const ofNewUser: readonly Flow[] = [
  visitor("a first sign-in", oauth("first")),
  visitor("a first sign-in with another provider", oauth("second")),
  visitor("an email link", emailLink),
  visitor("an email code", emailCode),
  visitor("a passkey sign-up", passkeySignUp),
]

/** The user has two accounts, a passkey and a verified email. */
export const ofUser: readonly Flow[] = [
  visitor("a sign-in", oauth("first")),
  visitor("a first sign-in with another provider", oauth("third")),
  visitor("an email link", emailLink),
  visitor("a password", password),
  visitor("a passkey", usePasskey),
  visitor("a sign-up with the next email", asNext(oauth("third"))),
  user("a new passkey", addPasskey),
  user("a link", oauth("third", { link: "true" })),
  user("a link of the account with the next email", asNext(oauth("third", { link: "true" }))),
  user(
    "an unlink",
    form("unlink-account", (_, as) => ({ provider: "first", providerAccountId: as })),
  ),
  user(
    "a removal of the passkey",
    form(
      "remove-passkey",
      ({
        authenticator: {
          credentials: [passkey],
        },
      }) => ({
        id: Buffer.from(passkey?.id ?? "", "base64url").toString("base64"),
      }),
    ),
  ),
  user("a change of email", changeEmail),
  user("a sign-out", signOut),
  user("a sign-out everywhere", form("revoke-sessions")),
  user("a read of the session", async (_, tab) => () => tab.get("/auth/session")),
  user(
    "a deletion",
    form("delete-account", (_, as) => ({ confirm: emailOf(as) })),
  ),
]

/** A user who has what the last flows need, in two browsers. */
export async function userIn({
  visitor: browser,
  providers,
  mail,
  authenticator,
}: Process): Promise<readonly Browser[]> {
  const [one, other] = [browser.fresh(), browser.fresh()]
  await one.signIn("email", { email: emailOf(name) })
  await one.get(mail.at(-1)?.url ?? "")
  for (const provider of [providers.first, providers.second])
    await one.signInWith(provider, { as: name, fields: { link: "true" } })
  await one.registerPasskey(authenticator)
  await other.signInWith(providers.first, { as: name })
  return [one, other]
}
