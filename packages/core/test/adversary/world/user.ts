import { type Authenticator, type Browser, createAuthenticator, openBrowser } from "@latchkey/testing"
import type { FrozenClock } from "@latchkey/testing"
import { type Name, origins } from "./names.js"

/** A user with a browser that no one else uses. */
export interface User {
  readonly name: Name
  readonly browser: Browser
  readonly authenticator: Authenticator
  /** The IP address that the proxy of the site sees. */
  readonly address: string
  /** In this browser, since the last sign-out, the user typed a password, confirmed a mailbox, or consented at a provider. */
  hasProved: boolean
  /** The user signed in with a password in this browser before, so others can't lock the user out here. */
  isKnown: boolean
  /** Passwords that the user typed wrong here. They count on a known device too. */
  mistakes: number
  /** Another site filled or replaced cookies of this browser that the site can't protect. */
  isDisturbed: boolean
  /** The cookies for which the session was last checked. */
  checked: string
}

const addresses: Readonly<Record<Name, string>> = {
  ada: "93.184.216.11",
  bob: "93.184.216.12",
  mallory: "93.184.216.66",
}

export function createUser(name: Name, clock: FrozenClock, handle: (request: Request) => Promise<Response>): User {
  const headers = { "x-forwarded-for": addresses[name] }
  return {
    name,
    browser: openBrowser({ origin: origins.app, clock, headers, handle }),
    authenticator: createAuthenticator({ origin: origins.app }),
    address: addresses[name],
    hasProved: false,
    isKnown: false,
    mistakes: 0,
    isDisturbed: false,
    checked: "",
  }
}
