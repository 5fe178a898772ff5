import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { apiKeys, type ApiKeysServer } from "@latchkey/api-keys"
import { type Enrolling, type ModuleSubject, testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { bearing, keyOn } from "./site.js"

async function enroll({ browser, server }: Enrolling) {
  await browser.get("/auth/account")
  await browser.submitForm("api-keys/create", { keyName: "CI", days: "90", "scope:read": "yes" })
  const key = keyOn(browser)
  if (key === "") throw new Error(`The page shows no key: ${browser.location}`)
  const { verify } = server.members["api-keys"] as unknown as ApiKeysServer
  return { works: async () => (await verify(bearing(key), { scope: "read" })).ok, secrets: [key] }
}

const subject: ModuleSubject = {
  create: () => apiKeys({ prefix: "acme", scopes: ["read"] }),
  adapter: memoryAdapter,
  enroll,
}

testModule({ name: "api-keys", ...subject }, { describe, test })
