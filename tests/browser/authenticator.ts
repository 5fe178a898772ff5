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

/** Lets the authenticator answer requests at once, or not. Requests that are already pending don't change. */
export async function setPresence({ session, authenticatorId }: Authenticator, enabled: boolean): Promise<void> {
  await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
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

/**
 * Records requests for a passkey on the pages that open next.
 *
 * @returns a function that returns what became of each: `pending`, `done` or the name of the error
 */
export async function recordRequests(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(`window.requests = []
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async (options) => {
      const index = requests.push("pending") - 1
      try {
        const credential = await get(options)
        requests[index] = "done"
        return credential
      } catch (error) {
        requests[index] = error.name
        throw error
      }
    }`)
  return async () => page.evaluate("requests")
}
