import type { Fields } from "@latchkey/testing"
import type { Person } from "../world/person.js"

/** Submits a form of the site, with the CSRF token of this browser. */
export async function submit({ browser }: Person, path: string, fields: Fields = {}): Promise<Response> {
  const csrfToken = (await browser.csrf()) ?? ""
  return await browser.post(path, { csrfToken, ...fields })
}
