import type { CDPSession, Page } from "playwright-core"

export interface AuthenticatorOptions {
  /** Stores passkeys that need no user name. @default true */
  readonly hasResidentKey?: boolean
  /** @default true */
  readonly hasUserVerification?: boolean
  /** The user passes user verification. @default true */
  readonly isUserVerified?: boolean
  /** Answers each request at once. @default true */
  readonly automaticPresenceSimulation?: boolean
  /** @default "internal" */
  readonly transport?: "internal" | "usb"
}

/** A virtual authenticator of Chromium. It works in one tab. */
export interface Authenticator {
  readonly session: CDPSession
  readonly authenticatorId: string
}

/** Adds an authenticator to a page: https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ */
export async function addAuthenticator(page: Page, options: AuthenticatorOptions = {}): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const all = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    ...options,
  } as const
  return { session, ...(await session.send("WebAuthn.addVirtualAuthenticator", { options: all })) }
}
