import type { AuthContext } from "../../model/auth.js"
import type { Page } from "../../model/http.js"
import { isOnPage, leavesSite } from "./provider-form.js"

/** The script of a page, or `undefined` if the page has nothing that it could improve. */
export async function loadScript(auth: AuthContext, page: Page): Promise<string | undefined> {
  if (!hasFields(auth, page)) return undefined
  const passkeys = page.name === "signin" || page.name === "account" ? await loadPasskeyScript(auth) : undefined
  return passkeys ?? (await import("./generated/script.js")).pageScript
}

function hasFields({ providers }: AuthContext, page: Page): boolean {
  switch (page.name) {
    case "signin":
      return [...providers.values()].some((provider) => isOnPage(provider) && !leavesSite(provider))
    case "verify-request":
      return page.form !== undefined || page.sent !== undefined
    case "account":
    case "confirm-email":
      return true
    default:
      return false
  }
}

/** It has everything of the other script, because a page has one. */
async function loadPasskeyScript({ providers }: AuthContext): Promise<string | undefined> {
  const provider = [...providers.values()].find((each) => each.type === "webauthn")
  return (await provider?.method())?.pageScript?.()
}
