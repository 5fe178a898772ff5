import { type Authenticator, authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import type { Browser } from "./browser.js"
import type { PasskeyAnswer, Step } from "./plan.js"

/** What an application sends as the response to a request for options. */
type Issued =
  | { readonly action: "register"; readonly options: Parameters<Authenticator["create"]>[0] }
  | { readonly action: "authenticate"; readonly options: Parameters<Authenticator["get"]>[0] }

/** What the browser does at a site with these authenticators. */
interface Surroundings {
  readonly browser: Browser
  readonly authenticators: Map<number, Authenticator>
  readonly origin: string
}

/** The fields that the browser sends for these options, if any. */
export async function answerTo(
  text: string,
  { authenticator: index, answer }: Extract<Step, { do: "passkey" }>,
  { browser, authenticators, origin }: Surroundings,
): Promise<Readonly<Record<string, string>> | undefined> {
  const issued = issuedIn(text)
  if (answer === "replay") return browser.passkey
  if (issued === undefined || answer === "none") return undefined
  // Version 9 of `@simplewebauthn/server` rejects one of 128 ES256 signatures.
  const authenticator = authenticators.get(index) ?? createAuthenticator({ origin, algorithm: "EdDSA" })
  authenticators.set(index, authenticator)
  const response = await respond(authenticator, issued, answer)
  if (response === undefined) return undefined
  const other = issued.action === "register" ? "authenticate" : "register"
  browser.passkey = {
    action: answer === "other action" ? other : issued.action,
    data: answer === "not JSON" ? "not JSON" : JSON.stringify(response),
  }
  return browser.passkey
}

function issuedIn(text: string): Issued | undefined {
  return text.startsWith('{"action":') || text.includes('"options":') ? (JSON.parse(text) as Issued) : undefined
}

/** `undefined` where a browser shows an error, for example if it has no credential that fits. */
async function respond(
  authenticator: Authenticator,
  issued: Issued,
  answer: PasskeyAnswer,
): Promise<object | undefined> {
  const stop = authenticator.inject(...(isFault(answer) ? [authenticatorFaults[answer]] : []))
  try {
    if (issued.action === "register") return await authenticator.create(issued.options)
    return await authenticator.get(issued.options)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  } finally {
    stop()
  }
}

function isFault(answer: PasskeyAnswer): answer is PasskeyAnswer & keyof typeof authenticatorFaults {
  return answer in authenticatorFaults
}
