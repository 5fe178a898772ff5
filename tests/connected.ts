import { vault } from "../packages/core/src/features/oauth/tokens/index.js"
import { customFetch } from "../packages/core/src/model/symbols.js"
import { memoryAdapter } from "../packages/adapter-kit/src/memory.js"
import { createProvider } from "../packages/testing/src/provider/provider.js"
import { visit } from "../packages/testing/src/visit.js"

/** A configuration that keeps the tokens of a user, and the cookies of that user at `https://app.test`. */
export async function connected() {
  const op = createProvider()
  const sent: (string | null)[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    if (new URL(request.url).host !== "api.test") return op.fetch(request)
    sent.push(request.headers.get("authorization"))
    return new Response("from the API")
  }
  // The compiler takes the symbol for another one than that of the package.
  const options = { [customFetch]: fetch, tokens: { hosts: ["api.test"] } }
  const config = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    trustHost: true,
    adapter: memoryAdapter(),
    providers: [op.provider(options)],
    tokens: vault,
  }
  const browser = await visit(config)
  await browser.signInWith(op, { as: "ada" })
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return { config, cookie, sent }
}
