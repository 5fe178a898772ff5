import type { Fields } from "@latchkey/testing"
import type { User } from "../world/user.js"

/** Submits a form of the site, with the CSRF token of this browser. */
export async function submit({ browser }: User, path: string, fields: Fields = {}): Promise<Response> {
  const csrfToken = (await browser.csrf()) ?? ""
  return await browser.post(path, { csrfToken, ...fields })
}
