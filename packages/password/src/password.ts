import { defineModule, type Module } from "@latchkey/core/module"
import type { PasswordOptions, PasswordServer } from "./options.js"
import { records } from "#records"

/**
 * Sign-up, sign-in, reset and change of passwords, with pages and emails. It needs an adapter with records, and an email provider.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import Nodemailer from "@latchkey/core/providers/nodemailer"
 * import { password } from "@latchkey/password"
 * import { sqlite } from "@latchkey/sql/sqlite"
 *
 * export const config: AuthConfig = {
 *   adapter: sqlite("app.db"),
 *   providers: [Nodemailer({ server: "smtp://localhost:1025", from: "app@example.com" })],
 *   modules: [password()],
 * }
 * ```
 */
export function password(options: PasswordOptions = {}): Module<"password", PasswordServer> {
  const { secondFactor, signUp = "open", usernames } = options
  return defineModule<"password", PasswordServer, typeof records>({
    id: "password",
    ...(secondFactor && { needs: [secondFactor] }),
    records,
    members: ["has", "startReset", "invite", "uninvite", "usernameOf", "importHash", "formatOf"],
    pages: { forgotPassword: "password/forgot", ...(signUp === "open" && signUpPage) },
    providers: [{ id: "password", name: "Password", fields: { ...signInFields, ...(usernames && either) } }],
    load: async () => (await import("#password")).partsOf(options),
  })
}

const signUpPage = { createAccount: "password/sign-up" }

/** The hidden ones are of the other forms, which post to the same provider. */
const signInFields = {
  email: { type: "email", autocomplete: "username", required: true },
  password: { type: "password", autocomplete: "current-password", required: true },
  step: { type: "hidden" },
  newPassword: { type: "hidden" },
  endOthers: { type: "hidden" },
}

/** Core has the label in each language. */
const either = { email: { ...signInFields.email, type: "text", "data-takes": "email username" } }
