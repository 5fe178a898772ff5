import type { AuthConfig as PublishedConfig } from "@auth/core"
import PublishedPasskey from "@auth/core/providers/passkey"
import PublishedWebAuthn from "@auth/core/providers/webauthn"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import type { Authenticator, Browser } from "@latchkey/testing"
import * as version9 from "@simplewebauthn/server"
import { forPublished, secret, swap, type Swap } from "./applications.js"

export type ProviderName = "passkey" | "webauthn"

/** What our application passes as `simpleWebAuthn`. */
export const libraries = {
  "the installed version 14": {},
  "version 9": { simpleWebAuthn: version9 },
} as const

export type LibraryInUse = keyof typeof libraries

export interface PasskeySettings {
  readonly adapter: Adapter
  readonly library?: LibraryInUse
  readonly strategy?: "jwt" | "database"
  readonly theirs?: Partial<PublishedConfig>
  readonly ours?: Partial<AuthConfig>
}

/** `@auth/core` with version 9 of `@simplewebauthn/server`, and Latchkey, over the same rows. */
export async function swapPasskeys({
  adapter,
  library = "the installed version 14",
  strategy = "jwt",
  theirs = {},
  ours = {},
}: PasskeySettings): Promise<Swap> {
  const given = libraries[library]
  const second = { id: "webauthn", enableConditionalUI: false }
  const common = { secret, session: { strategy }, experimental: { enableWebAuthn: true } }
  return swap({
    theirs: {
      ...common,
      adapter: forPublished(adapter),
      providers: [PublishedPasskey, PublishedWebAuthn(second)],
      ...theirs,
    },
    ours: { ...common, adapter, providers: [Passkey(given), WebAuthn({ ...second, ...given })], ...ours },
  })
}

type Options = Parameters<Authenticator["create"]>[0] & Parameters<Authenticator["get"]>[0]

/** What the application answers to a request for options. */
export interface Begun {
  readonly action: "register" | "authenticate"
  readonly options: Options
}

/** Gets options, and with them the cookie with the challenge. */
export async function begin(
  browser: Browser,
  action: Begun["action"],
  provider: ProviderName,
  fields: Readonly<Record<string, string>> = {},
): Promise<Begun> {
  const query = new URLSearchParams({ ...fields, action }).toString()
  const response = await browser.fetch(`/auth/webauthn-options/${provider}?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`No options: ${response.status} ${text}`)
  return JSON.parse(text) as Begun
}

/** Lets the authenticator answer options, and posts its answer as the scripts of both libraries do. */
export async function finish(
  browser: Browser,
  { action, options }: Begun,
  provider: ProviderName,
  authenticator: Authenticator,
): Promise<Response> {
  const credential = action === "register" ? await authenticator.create(options) : await authenticator.get(options)
  const csrfToken = (await browser.csrf()) ?? ""
  const fields = { action, data: JSON.stringify(credential), csrfToken }
  return browser.post(`/auth/callback/${provider}`, fields)
}
