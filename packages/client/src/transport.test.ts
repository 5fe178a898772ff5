import { expect, test } from "vitest"
import { createAuthClient } from "./client.js"

test("a server without CSRF tokens isn't an error", async () => {
  const errors: string[] = []
  const sent: string[] = []
  const client = createAuthClient({
    baseUrl: "https://app.test",
    fetch: async (input, init) => {
      sent.push(`${init?.method ?? "GET"} ${String(input)}`)
      return String(input).endsWith("/csrf")
        ? new Response(null, { status: 404 })
        : Response.json({ url: "https://app.test/" })
    },
    onError: ({ message }) => errors.push(message),
  })
  expect(await client.signOut({ redirect: false })).toEqual({ url: "https://app.test/", ok: true })
  expect(sent).toEqual(["GET https://app.test/auth/csrf", "POST https://app.test/auth/signout"])
  expect(errors).toEqual([])
})
