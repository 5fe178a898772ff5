import { apiKeys } from "@latchkey/api-keys"
import { deviceBound } from "@latchkey/device-bound"
import { createAuth } from "@latchkey/hono"
import { sqlite } from "@latchkey/sql/sqlite"

/** Users who may not use keys anymore. An application has this in its database. */
export const disabled = new Set<string>()

export const auth = createAuth({
  security: "strict",
  adapter: sqlite(process.env["DATABASE_FILE"] ?? "example.db"),
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
    // A session cookie that malware copies is worthless after minutes, and can create no key.
    deviceBound(),
    apiKeys({
      prefix: "harbor",
      scopes: ["ships:read", "ships:write"],
      rights: ({ user }) => (disabled.has(user.id) ? null : ["ships:read", "ships:write"]),
    }),
  ],
})
