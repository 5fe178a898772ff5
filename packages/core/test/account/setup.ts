import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer, serializeCookie, type ServerAccount, type Visitor } from "@latchkey/core/server"
import type { AccountEmail, AuthConfig, EmailConfig } from "@latchkey/core/types"
import {
  type Authenticator,
  type Browser,
  captureLog,
  type CapturedLog,
  createAuthenticator,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { type Mailbox, mailbox } from "../flows/signin/setup.js"
import { trackSecret } from "../../../testing/src/secrets.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"

export const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
export const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"

export interface SiteOptions extends Partial<AuthConfig> {
  /** No email is a way to sign in. */
  readonly withoutEmail?: boolean
  /** Sends the emails instead of the recorder. */
  readonly sender?: EmailConfig
  /** The adapter has no methods for passkeys. */
  readonly withoutPasskeys?: boolean
}

/** A site with two providers, passkeys and email, and a browser that isn't signed in. */
export interface Site<A extends Adapter> {
  readonly browser: Browser
  readonly adapter: A
  readonly config: AuthConfig
  readonly clock: FrozenClock
  readonly first: FakeProvider
  readonly second: FakeProvider
  readonly mail: Mailbox
  /** The emails about changes. */
  readonly accountMail: readonly AccountEmail[]
  readonly events: readonly string[]
  readonly log: CapturedLog
  readonly authenticator: Authenticator
  /** The functions for the user of a browser. */
  account(browser?: Browser): ServerAccount
  /** Another browser, with another user agent. */
  phone(): Promise<Browser>
}

export async function site<A extends Adapter>(
  adapter: A,
  { withoutEmail = false, withoutPasskeys = false, sender, ...more }: SiteOptions = {},
): Promise<Site<A>> {
  const clock = frozenClock()
  const first = createProvider({ clock })
  const second = createProvider({ clock, id: "second", issuer: "https://second.test" })
  const accountMail: AccountEmail[] = []
  const mail = mailbox({ sendAccountEmail: (message) => void accountMail.push(message) })
  const events: string[] = []
  const log = captureLog()
  const note = (name: string) => () => void events.push(name)
  const config: AuthConfig = {
    secret,
    trustHost: true,
    adapter,
    providers: [
      first.provider(),
      second.provider(),
      ...(withoutPasskeys ? [] : [Passkey()]),
      ...(withoutEmail ? [] : [sender ?? mail.provider]),
    ],
    experimental: { enableWebAuthn: true },
    logger: log.logger,
    events: {
      signOut: note("signOut"),
      linkAccount: note("linkAccount"),
      unlinkAccount: note("unlinkAccount"),
      removePasskey: note("removePasskey"),
      renamePasskey: note("renamePasskey"),
      revokeSessions: ({ scope, count }) => void events.push(`revokeSessions ${scope} ${count}`),
      requestEmailChange: note("requestEmailChange"),
      changeEmail: note("changeEmail"),
      deleteUser: note("deleteUser"),
    },
    ...more,
    runtime: clock.runtime,
  }
  const open = (userAgent: string) => visit(config, { clock, headers: { "user-agent": userAgent } })
  const browser = await open(firefox)
  const server = createServer(config)
  return {
    browser,
    adapter,
    config,
    clock,
    first,
    second,
    mail,
    accountMail,
    events,
    log,
    authenticator: createAuthenticator(),
    account: (of = browser) => server.account(visitorOf(of)),
    phone: () => open(safari),
  }
}

/** The next request of a browser. */
export function visitorOf(browser: Browser): Visitor {
  for (const { name, value } of browser.cookies) trackSecret(`cookie ${name}`, value)
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return { headers: new Headers({ cookie, "user-agent": firefox }), origin: browser.origin }
}

/** Takes over the cookies of a call, as an integration does. */
export function keepCookies(browser: Browser, { cookies }: ServerAccount): void {
  const use = { url: new URL(browser.origin), method: "POST", sameSite: true, navigation: false }
  browser.jar.store(cookies.map(serializeCookie), use)
}

/** The parameters of the link in the newest email. */
export function linkIn(emails: readonly { readonly url: string }[]): {
  readonly token: string
  readonly email: string
} {
  const { searchParams } = new URL(emails.at(-1)?.url ?? "")
  return { token: searchParams.get("token") ?? "", email: searchParams.get("email") ?? "" }
}
