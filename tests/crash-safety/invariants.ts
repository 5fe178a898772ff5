import { createHash } from "node:crypto"
import type { Browser } from "@latchkey/testing"
import { sessionCookie, type Setting } from "./site.js"
import type { Rows } from "./stores.js"

/** Lists the rows that must never be in the tables. */
export function broken({ users, accounts, sessions }: Rows): readonly string[] {
  const owners = new Set(users.map(({ id }) => id))
  const isOrphan = ({ id, email_verified }: Rows["users"][number]) =>
    // The application itself created the user who signs in with a password.
    id !== "known" && email_verified === null && !accounts.some(({ user_id }) => user_id === id)
  return [
    ...users.filter(isOrphan).map(({ email }) => `the user ${email} has no way to sign in`),
    ...accounts
      .filter(({ user_id }) => !owners.has(user_id))
      .map(({ provider }) => `an account at ${provider} without a user`),
    ...sessions.filter(({ user_id }) => !owners.has(user_id)).map(() => "a session without a user"),
    ...repeated(users.map(({ email }) => String(email).toLowerCase())).map((email) => `two users with ${email}`),
    ...repeated(accounts.map(({ provider, provider_account_id: id }) => `${provider} ${id}`)).map(
      (account) => `two owners of ${account}`,
    ),
  ]
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, at) => values.indexOf(value) !== at)
}

/** Finds the row of the session cookie. */
export function rowOf(browser: Browser, { sessions }: Rows): Rows["sessions"][number] | undefined {
  const token = sessionCookie(browser)
  if (token === undefined) return undefined
  const forms = [token, `sha256:${createHash("sha256").update(token).digest("hex")}`]
  return sessions.find(({ session_token }) => forms.includes(session_token))
}

/** Whether the browser has a session cookie without a session. */
export function isEmpty(browser: Browser, { strategy }: Setting, rows: Rows): boolean {
  return strategy === "database" && sessionCookie(browser) !== undefined && rowOf(browser, rows) === undefined
}
