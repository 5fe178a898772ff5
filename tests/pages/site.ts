import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import apple from "@latchkey/core/providers/apple"
import credentials from "@latchkey/core/providers/credentials"
import discord from "@latchkey/core/providers/discord"
import facebook from "@latchkey/core/providers/facebook"
import github from "@latchkey/core/providers/github"
import gitlab from "@latchkey/core/providers/gitlab"
import google from "@latchkey/core/providers/google"
import linkedin from "@latchkey/core/providers/linkedin"
import entra from "@latchkey/core/providers/microsoft-entra-id"
import passkey from "@latchkey/core/providers/passkey"
import slack from "@latchkey/core/providers/slack"
import spotify from "@latchkey/core/providers/spotify"
import twitter from "@latchkey/core/providers/twitter"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { type Browser, frozenClock, visit } from "@latchkey/testing"
import { strongSecret } from "../../packages/core/test/modes/setup.js"

const keys = { clientId: "client", clientSecret: "hush" }

const [appleKeys, entraKeys] = [keys, { ...keys, issuer: "https://login.microsoftonline.com/common/v2.0" }]

/** What applications combine on one sign-in page. */
export const oneProvider: AuthConfig["providers"] = [github(keys)]

export const fourProviders = (mail: EmailConfig): AuthConfig["providers"] => [
  google(keys),
  github(keys),
  mail,
  password(),
]

export const fiveProviders = (mail: EmailConfig): AuthConfig["providers"] => [...fourProviders(mail), passkey()]

/** None has a logo, and one has a color. */
export const plainProviders: AuthConfig["providers"] = ["Acme Directory", "zoho", "Ångström", "北京"].map(
  (name, index) => ({
    ...keys,
    id: `plain${index}`,
    name,
    type: "oidc",
    issuer: "https://id.test",
    ...(index === 1 && { style: { brandColor: "#ffe600" } }),
  }),
)

export const fourteenProviders = (mail: EmailConfig): AuthConfig["providers"] => [
  google(keys),
  apple(appleKeys),
  entra(entraKeys),
  github(keys),
  gitlab(keys),
  facebook(keys),
  discord(keys),
  twitter(keys),
  linkedin(keys),
  slack(keys),
  spotify(keys),
  mail,
  password(),
  passkey(),
]

/** What a user can connect, sign in with and add to an account. */
export const accountProviders = (mail: EmailConfig): AuthConfig["providers"] => [
  google(keys),
  github(keys),
  gitlab(keys),
  mail,
  passkey(),
]

/** The password of every user is `open sesame`. */
export function password() {
  return credentials({
    name: "Password",
    credentials: {
      username: { label: "Username", autocomplete: "username", required: true },
      password: { label: "Password", type: "password", required: true },
    },
    authorize: ({ username, password }) =>
      password === "open sesame" ? { id: "1", name: "Ada Lovelace", email: `${String(username)}@example.test` } : null,
  })
}

interface Email {
  readonly url: string
  readonly code: string
}

/** An application, opened by a browser that prefers a language. */
export interface Site {
  readonly browser: Browser
  /** The emails that it sent. */
  readonly emails: readonly Email[]
}

export interface Choices {
  readonly providers?: (mail: EmailConfig) => AuthConfig["providers"]
  readonly config?: Partial<AuthConfig>
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly origin?: string
}

/** Its time and its random values are the same in each run, so that its pages are. */
export async function openSite(
  language: string,
  { providers = fourProviders, config = {}, headers = {}, origin = "https://app.test" }: Choices = {},
): Promise<Site> {
  const emails: Email[] = []
  const mail: EmailConfig = {
    id: "mail",
    name: "Email",
    type: "email",
    sendVerificationRequest: ({ url, code = "" }) => {
      emails.push({ url, code })
    },
    sendAccountEmail: () => undefined,
  }
  const clock = frozenClock()
  const browser = await visit(
    {
      secret: strongSecret,
      url: `${origin}/auth`,
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      providers: providers(mail),
      session: { strategy: "jwt" },
      ...config,
      runtime: { ...clock.runtime, random: sameEachTime() },
    },
    { clock, origin, headers: { "accept-language": language, "user-agent": firefox, ...headers } },
  )
  return { browser, emails }
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** A linear congruential generator: pages show some of the random values, such as the ID of an error. */
function sameEachTime(): (bytes: number) => Uint8Array<ArrayBuffer> {
  let state = 1
  return (bytes) =>
    new Uint8Array(bytes).map(() => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state >> 16
    })
}
