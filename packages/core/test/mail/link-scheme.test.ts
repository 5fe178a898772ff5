import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { strongSecret } from "../modes/setup.js"

/** The link in the email after a request over plain http. */
async function linkFor(host: string, config: Partial<AuthConfig>): Promise<string> {
  const links: string[] = []
  const settled: AuthConfig = {
    secret: strongSecret,
    adapter: memoryAdapter(),
    logger: { error: () => undefined, warn: () => undefined },
    providers: [
      { id: "mail", name: "Mail", type: "email", sendVerificationRequest: ({ url }) => void links.push(url) },
    ],
    ...config,
  }
  const issued = await Auth(new Request(`http://${host}/auth/csrf`), settled)
  const { csrfToken } = (await issued.json()) as { csrfToken: string }
  const headers = { cookie: issued.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "" }
  const body = new URLSearchParams({ csrfToken, email: "ada@app.test" })
  await Auth(new Request(`http://${host}/auth/signin/mail`, { method: "POST", headers, body }), settled)
  return links[0] ?? ""
}

test("in production, a request over plain http doesn't make the link to a public site plain http", async () => {
  const link = await linkFor("app.example", { trustHost: ["app.example"], environment: "production" })
  expect(new URL(link).origin).toBe("https://app.example")
})

test.each([
  ["the configured URL is plain http", "app.example", { url: "http://app.example" }],
  ["the listed origin is plain http", "app.example", { trustHost: ["http://app.example"] }],
  ["the site is on this machine", "localhost:3000", { trustHost: true }],
] as const)("the link is plain http if %s", async (_, host, config) => {
  const link = await linkFor(host, { ...config, environment: "production" })
  expect(new URL(link).origin).toBe(`http://${host}`)
})
