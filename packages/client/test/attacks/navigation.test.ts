import { createAuthClient } from "@latchkey/client"
import { expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"

const pageUrl = "https://app.test/page"
const hostile = [
  "javascript:alert(1)",
  " java\tscript:alert(1)",
  "data:text/html,owned",
  "//evil.test/",
  "/\\evil.test/",
  "https://evil.test/",
  "https:evil.test",
  "http://[",
]

/** Responses to a form from a broken or compromised server, or from a broken proxy. */
const answers: readonly [name: string, answer: () => Response][] = [
  ["500", () => new Response("<html>", { status: 500 })],
  ["no URL", () => Response.json({})],
  ["not JSON", () => new Response("<html>")],
  ["null", () => Response.json(null)],
]

function clientOf(answer: () => Response) {
  vi.stubGlobal("location", new URL(pageUrl))
  const destinations: string[] = []
  const routes: Readonly<Record<string, () => Response>> = {
    "/auth/csrf": () => Response.json({ csrfToken: "0".repeat(64) }),
    "/auth/providers": () => Response.json({ password: { id: "password", name: "Password", type: "credentials" } }),
  }
  const fetch = async (input: string | URL | Request) =>
    (routes[new URL(String(input instanceof Request ? input.url : input), pageUrl).pathname] ?? answer)()
  const navigate = (url: string) => void destinations.push(new URL(url, pageUrl).href)
  const client = createAuthClient({ baseUrl: "https://app.test", fetch, navigate, onError() {} })
  return { client, destinations }
}

attack("CLI-01", "without a URL from the server, redirectTo never leads to another origin", async () => {
  for (const [name, answer] of answers) {
    for (const redirectTo of hostile) {
      const { client, destinations } = clientOf(answer)
      await client.signIn("password", { redirectTo })
      await client.signOut({ redirectTo })
      expect(destinations, `${name} ${redirectTo}`).toHaveLength(2)
      for (const to of destinations) expect(new URL(to).origin, `${name} ${redirectTo}`).toBe("https://app.test")
    }
  }
})

attack("CLI-01", "a URL that isn't http(s) is never opened, even if the server returns it", async () => {
  for (const url of ["javascript:alert(1)", " java\tscript:alert(1)", "data:text/html,owned", "http://["]) {
    const { client, destinations } = clientOf(() => Response.json({ url }))
    await client.signIn("password")
    expect(destinations, url).toEqual(["https://app.test/auth/error"])
    expect(await client.signIn("password", { redirect: false })).toMatchObject({ ok: false, url: null })
  }
})
