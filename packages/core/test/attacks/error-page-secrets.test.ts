import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import resend from "@latchkey/core/providers/resend"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { strongSecret } from "../modes/setup.js"
import { visitLazily } from "./oauth-setup.js"

const older = "Tq8nV2xZ5mB1cK7fR3wY9pL4hJ6dS0gAeUiOqWvEtXs"
const secrets = {
  "the newest secret": `${older}-and-more-8172`,
  "a former secret": older,
  "`jwt.secret`": "Hy3kP9sD5aW1zQ7xN2vM8bC4fG6jL0rTeUiOqEwYuBn",
  "a client secret": "client-Zx7cV1bN5mQ9wE3rT8yU",
  "an API key": "re_Lk4jH8gF2dS6aP0oI5uY",
} as const

for (const environment of ["development", "production"] as const) {
  attack("ADV-NA-06", `the error page of an application in ${environment} shows no secret`, async (mode) => {
    for (const [what, value] of Object.entries(secrets)) {
      const refuse = () => {
        throw new Error(`The upstream refused ${value}`, { cause: new Error(`with the key ${value}`) })
      }
      const config: AuthConfig = {
        secret: [secrets["the newest secret"], older, strongSecret],
        jwt: { secret: secrets["`jwt.secret`"] },
        security: mode,
        trustHost: ["app.test"],
        environment,
        logger: { error: () => undefined, warn: () => undefined },
        adapter: memoryAdapter(),
        session: { strategy: "jwt" },
        providers: [
          { ...createProvider().oauthProvider(), clientSecret: secrets["a client secret"] },
          resend({ apiKey: secrets["an API key"], from: "app@app.test" }),
          credentials({ credentials: { name: {} }, authorize: refuse }),
        ],
      }
      const browser = visitLazily(() => config)
      await browser.post("/auth/callback/credentials", { csrfToken: (await browser.csrf()) ?? "", name: "ada" })
      expect(browser.text.includes("The upstream refused [redacted]"), what).toBe(environment === "development")
      for (const part of [value, value.slice(0, 16), value.slice(-9)]) expect(browser.text, what).not.toContain(part)
    }
  })
}
