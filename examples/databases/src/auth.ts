import { createAuth } from "@latchkey/node"
import { adapterFor } from "./adapter.ts"

export const auth = createAuth({
  security: "strict",
  adapter: adapterFor(process.env),
  session: { strategy: "database" },
  providers: [
    {
      id: "email",
      name: "Email",
      type: "email",
      from: "Harbor <noreply@harbor.example>",
      // The example has no mail server.
      sendVerificationRequest: ({ identifier, url }) => console.log(`Sign-in link for ${identifier}: ${url}`),
    },
  ],
})
