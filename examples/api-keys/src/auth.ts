import { apiKeys } from "@latchkey/api-keys"
import { audit } from "@latchkey/audit"
import { sql } from "@latchkey/audit/sql"
import { deviceBound } from "@latchkey/device-bound"
import { createAuth } from "@latchkey/hono"
import { sqlite } from "@latchkey/sql/sqlite"

/** Users who may not use keys anymore. An application has this in its database. */
export const disabled = new Set<string>()

const adapter = sqlite(process.env["DATABASE_FILE"] ?? "example.db")

/** What happened to accounts and their keys. */
export const log = sql(adapter)

export const auth = createAuth({
  security: "strict",
  adapter,
  providers: [
    {
      id: "email",
      name: "Email",
      type: "email",
      from: "Harbor <noreply@harbor.example>",
      // The example has no mail server.
      sendVerificationRequest: ({ identifier, url }) => console.log(`Sign-in link for ${identifier}: ${url}`),
      sendAccountEmail: ({ identifier, letter }) => console.log(`Email to ${identifier}: ${letter?.text ?? ""}`),
    },
  ],
  modules: [
    audit({ sinks: [log] }),
    // A session cookie that malware copies is worthless after minutes, and can create no key.
    deviceBound(),
    apiKeys({
      prefix: "harbor",
      scopes: ["ships:read", "ships:write"],
      rights: ({ user }) => (disabled.has(user.id) ? null : ["ships:read", "ships:write"]),
    }),
  ],
})
