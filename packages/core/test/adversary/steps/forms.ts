import type { Fields } from "@latchkey/testing"
import type { Store } from "../world/store.js"
import type { User } from "../world/user.js"

/** Submits a form of the site, with the CSRF token of this browser. */
export async function submit({ browser }: User, path: string, fields: Fields = {}): Promise<Response> {
  const csrfToken = (await browser.csrf()) ?? ""
  return await browser.post(path, { csrfToken, ...fields })
}

/** Whether a form of the user may fail for another reason than the attackers' attempts. */
export function isHindered({ isDisturbed }: User, store: Store | undefined): boolean {
  return isDisturbed || store?.hasFailed === true
}
