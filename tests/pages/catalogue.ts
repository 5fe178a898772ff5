import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type Browser, createProvider } from "@latchkey/testing"
import {
  accountProviders,
  type Choices,
  fiveProviders,
  fourteenProviders,
  oneProvider,
  openSite,
  password,
  plainProviders,
} from "./site.js"

/** A built-in page in one state, as the engine sent it. */
export interface Screen {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

type Open = (language: string) => Promise<Browser>

/** Opens a page without any preparation. */
function at(path: string, choices?: Choices): Open {
  return async (language) => {
    const { browser } = await openSite(language, choices)
    await browser.get(path)
    return browser
  }
}

const logo =
  "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxMjAiIGhlaWdodD0iNDAiPjxyZWN0IHdpZHRoPSIxMjAiIGhlaWdodD0iNDAiIHJ4PSI4IiBmaWxsPSIjYjQ1MzA5Ii8+PC9zdmc+"

/** Every page that a user can see, in every state that looks different. */
const states: Readonly<Record<string, Open>> = {
  "signin-1": at("/auth/signin", { providers: () => oneProvider }),
  "signin-1-password": at("/auth/signin", { providers: () => [password()] }),
  "signin-4": at("/auth/signin"),
  "signin-5-failed": at("/auth/signin?error=OAuthCallbackError", { providers: fiveProviders }),
  "signin-5-password-wrong": async (language) => {
    const { browser } = await openSite(language, {
      providers: fiveProviders,
      config: {
        theme: { name: "Acme Harbor", brandColor: "#7c3aed" },
        pages: { forgotPassword: "/forgot-password", createAccount: "/create-account" },
      },
    })
    await browser.get("/auth/signin")
    await browser.submitForm("/auth/callback/credentials", { username: "ada", password: "open window" })
    return browser
  },
  "signin-monograms": at("/auth/signin", { providers: () => plainProviders }),
  "signin-14": at("/auth/signin", { providers: fourteenProviders }),
  "signin-none": at("/auth/signin", { providers: () => [] }),
  "signin-theme": at("/auth/signin", { config: { theme: { brandColor: "#ffe600", logo } } }),
  "signin-options": at("/auth/signin", {
    config: {
      theme: { name: "Acme Harbor", logo },
      pages: { forgotPassword: "/forgot-password", createAccount: "/create-account" },
    },
    headers: { cookie: "__Host-authjs.last-used=credentials" },
  }),
  "signin-provider-failed": at("/auth/signin?error=OAuthCallbackError"),
  "signin-other-account": at("/auth/signin?error=OAuthAccountNotLinked"),
  "signin-password-wrong": async (language) => {
    const { browser } = await openSite(language)
    await browser.get("/auth/signin")
    await browser.submitForm("/auth/callback/credentials", { username: "ada", password: "open window" })
    return browser
  },
  "signin-email-refused": async (language) => {
    const { browser } = await openSite(language)
    await browser.get("/auth/signin")
    await browser.submitForm("/auth/signin/mail", { email: "ada@@example.test" })
    return browser
  },
  "verify-link": at("/auth/verify-request?provider=mail&type=email"),
  "verify-code": async (language) => (await requestEmail(language)).browser,
  "verify-code-wrong": async (language) => {
    const { browser, emails } = await requestEmail(language)
    await browser.submitForm("/auth/callback/mail", { code: emails[0]?.code === "123456" ? "654321" : "123456" })
    return browser
  },
  "confirm-email": async (language) => {
    const { browser, emails } = await requestEmail(language, { config: { security: "strict" } })
    const other = browser.fresh()
    await other.get(emails[0]?.url ?? "")
    return other
  },
  signout: async (language) => {
    const { browser } = await openSite(language)
    await signIn(browser)
    await browser.get("/auth/signout?callbackUrl=/about")
    return browser
  },
  "signout-visitor": at("/auth/signout"),
  account: openAccount,
  "account-image-refused": async (language) => {
    const browser = await openAccount(language)
    await browser.get("/auth/account?error=InvalidProfile&field=image")
    return browser
  },
  "account-limited": async (language) => {
    const { browser } = await openSite(language)
    await signIn(browser)
    await browser.get("/auth/account")
    return browser
  },
  error: at("/auth/error"),
  "error-configuration": at("/auth/error?error=Configuration"),
  "error-denied": at("/auth/error?error=AccessDenied"),
  "not-found": at("/auth/nothing"),
  "error-link": at("/auth/error?error=Verification"),
  forward: async (language) => {
    const op = createProvider()
    const providers = () => [op.provider({ authorization: { params: { response_mode: "form_post" } } })]
    const config = { redirectProxyUrl: "https://app.test/auth" }
    const preview = await openSite(language, { providers, config, origin: "https://preview.test" })
    const { browser } = await openSite(language, { providers, config })
    await preview.browser.signIn("op")
    await browser.follow(await op.authorize(preview.browser.location, { as: "ada" }), op.issuer)
    return browser
  },
}

export const names: readonly string[] = Object.keys(states)

export async function screenOf(name: string, language: string): Promise<Screen> {
  const open = states[name]
  if (open === undefined) throw new Error(`There is no page "${name}". The pages are: ${names.join(", ")}`)
  const browser = await open(language)
  const last = browser.trail.at(-1) ?? browser.response
  return {
    url: browser.location,
    status: last.status,
    headers: Object.fromEntries(last.headers),
    html: await last.clone().text(),
  }
}

/** An account with everything that a user can have. */
async function openAccount(language: string): Promise<Browser> {
  const adapter = memoryAdapter()
  const [now, hour] = [Date.UTC(2026, 0, 1), 3_600_000]
  const verified = { email: "ada@example.test", emailVerified: new Date(0) }
  const { id: userId } = await adapter.createUser({ id: "1", name: "Ada Lovelace", ...verified })
  for (const provider of ["google", "github"])
    await adapter.linkAccount({ userId, type: "oauth", provider, providerAccountId: "1" })
  const passkey = {
    providerAccountId: "1",
    credentialPublicKey: "a2V5",
    counter: 0,
    credentialDeviceType: "multiDevice",
  }
  await adapter.linkAccount({ userId, type: "webauthn", provider: "passkey", providerAccountId: "1" })
  await adapter.createAuthenticator({ userId, credentialID: "aWQ=", credentialBackedUp: true, ...passkey })
  await adapter.describeAuthenticator("aWQ=", { name: "Phone", createdAt: new Date(now - 90 * 24 * hour) })
  const devices = [
    ["this", 0.1, "Firefox", "Linux"],
    ["other", 50, "Safari", "iOS"],
  ] as const
  for (const [sessionToken, hours, browser, system] of devices) {
    await adapter.createSession({ sessionToken, userId, expires: new Date(now + 700 * hour) })
    const createdAt = new Date(now - hours * hour)
    await adapter.describeSession(sessionToken, { createdAt, lastUsedAt: createdAt, browser, system })
  }
  const { browser } = await openSite(language, {
    providers: accountProviders,
    config: { adapter, session: { strategy: "database" } },
    headers: { cookie: "__Secure-authjs.session-token=this" },
  })
  await browser.get("/auth/account")
  return browser
}

async function requestEmail(language: string, choices?: Choices) {
  const site = await openSite(language, choices)
  await site.browser.get("/auth/signin")
  await site.browser.submitForm("/auth/signin/mail", { email: "ada@example.test" })
  return site
}

export async function signIn(browser: Browser): Promise<void> {
  await browser.get("/auth/signin")
  await browser.submitForm("/auth/callback/credentials", { username: "ada", password: "open sesame" })
}
