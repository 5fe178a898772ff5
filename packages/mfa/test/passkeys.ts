import type { Authenticator, AuthenticatorOptions, Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { codesOn } from "./phone.js"
import { newUser, type Person, passkeyOf, type Site, submit } from "./site.js"

type Options = Parameters<Authenticator["get"]>[0]

/** What the button of the page asks the browser for. `undefined`: the page has no button. */
export function askedOn({ text }: Pick<Browser, "text">): Options | undefined {
  const [, settings] = /<button type="button" data-passkey="([^"]*)" hidden>/.exec(text) ?? []
  if (settings === undefined) return undefined
  const plain = settings.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")
  return (JSON.parse(plain) as { readonly options: Options }).options
}

/** What the script of the page would send. */
export async function signedOn(browser: Browser, authenticator: Authenticator): Promise<string> {
  const options = askedOn(browser)
  if (options === undefined) throw new Error(`The page has no button for a passkey: ${browser.location}`)
  return JSON.stringify(await authenticator.get(options, { origin: browser.origin }))
}

/** Presses the button of the page. */
export async function usePasskey(browser: Browser, authenticator: Authenticator, fields: object = {}): Promise<void> {
  const passkey = await signedOn(browser, authenticator)
  const index = browser.forms.findIndex(({ action }) => /\/(?:auth\/factor|mfa\/verify|mfa\/confirm)$/.test(action))
  await browser.submitForm(index, { passkey, ...fields })
}

/** Proves a passkey that is the second step again, as a new passkey needs it. */
export async function confirm(browser: Browser, authenticator: Authenticator): Promise<void> {
  await browser.get("/auth/mfa/verify")
  await usePasskey(browser, authenticator)
}

/** Makes a passkey of a signed-in user their second step. */
export async function choose(browser: Browser, authenticator: Authenticator): Promise<readonly string[]> {
  await submit(browser, "enroll", { method: "passkey" })
  await usePasskey(browser, authenticator)
  return codesOn(browser)
}

export interface Holder extends Omit<Person, "app"> {
  readonly authenticator: Authenticator
}

/** A user whose only second step is a passkey. */
export async function holder(site: Site, name = "ada", options: AuthenticatorOptions = {}): Promise<Holder> {
  const browser = await newUser(site, name)
  const authenticator = await passkeyOf(browser, options)
  const recovery = await choose(browser, authenticator)
  expect(recovery).toHaveLength(10)
  return { name, id: site.idOf(name), recovery, browser, authenticator }
}
