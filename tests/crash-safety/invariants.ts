import { createHash } from "node:crypto"
import type { Browser } from "@latchkey/testing"
import { sessionCookie, type Setting } from "./site.js"
import type { Rows } from "./stores.js"

/** What must never be in the tables, whatever happened: a list of what is, empty if all is well. */
export function broken({ users, accounts, sessions }: Rows): readonly string[] {
  const owners = new Set(users.map(({ id }) => id))
  const isOrphan = ({ id, email_verified }: Rows["users"][number]) =>
    // The application itself made the one who signs in with a password.
    id !== "known" && email_verified === null && !accounts.some(({ user_id }) => user_id === id)
  return [
    ...users.filter(isOrphan).map(({ email }) => `nobody can sign in as ${email}, whose address is taken`),
    ...accounts
      .filter(({ user_id }) => !owners.has(user_id))
      .map(({ provider }) => `an account at ${provider} of nobody`),
    ...sessions.filter(({ user_id }) => !owners.has(user_id)).map(() => "a session of nobody"),
    ...repeated(users.map(({ email }) => String(email).toLowerCase())).map((email) => `two users with ${email}`),
    ...repeated(accounts.map(({ provider, provider_account_id: id }) => `${provider} ${id}`)).map(
      (account) => `two owners of ${account}`,
    ),
  ]
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, at) => values.indexOf(value) !== at)
}

/** The row that the session cookie names; `undefined`: there is no such row, or no cookie. */
export function rowOf(browser: Browser, { sessions }: Rows): Rows["sessions"][number] | undefined {
  const token = sessionCookie(browser)
  if (token === undefined) return undefined
  const forms = [token, `sha256:${createHash("sha256").update(token).digest("hex")}`]
  return sessions.find(({ session_token }) => forms.includes(session_token))
}

/** Whether a cookie that was just given stands for nothing. */
export function isEmpty(browser: Browser, { strategy }: Setting, rows: Rows): boolean {
  return strategy === "database" && sessionCookie(browser) !== undefined && rowOf(browser, rows) === undefined
}
