import { createAuth as createNode } from "@latchkey/node"
import { createAuth as createFetch } from "@latchkey/node/fetch"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { connected } from "../connected.js"

type Site = Awaited<ReturnType<typeof connected>>

/** Calls `token` and `token.fetch` in a request with these headers. */
type Call = (site: Site, headers: Record<string, string>) => Promise<readonly [unknown, unknown]>

const url = "https://app.test/page"
const api = "https://api.test/items"

async function textOf(answer: unknown): Promise<unknown> {
  return answer instanceof Response ? answer.text() : answer
}

/** In a server of `node:http`, behind a proxy that speaks https. */
function inNode(
  work: (site: Site) => (req: IncomingMessage, res: ServerResponse) => Promise<readonly [unknown, unknown]>,
): Call {
  return async (site, headers) => {
    const results: (readonly [unknown, unknown])[] = []
    const call = work(site)
    const server = createServer((req, res) => {
      void call(req, res).then((result) => {
        results.push(result)
        res.end()
      })
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const own = { "x-forwarded-host": "app.test", "x-forwarded-proto": "https" }
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page`, { headers: { ...own, ...headers } })
    return results[0] ?? []
  }
}

const calls: Readonly<Record<string, Call>> = {
  "node/fetch": async ({ config }, headers) => {
    const { token } = createFetch(config)
    const request = new Request(url, { headers })
    return [await token(request, "op"), await token.fetch(request, "op", api)]
  },
  node: inNode(({ config }) => {
    const { token } = createNode(config)
    return async (req, res) => [await token(req, res, "op"), await token.fetch(req, res, "op", api)]
  }),
}

describe.each(Object.entries(calls))("in %s", (_, call) => {
  test("`token` and `token.fetch` act for the user who sent the request", async () => {
    const site = await connected()
    const [token, answer] = await call(site, { cookie: site.cookie })
    expect(token).toMatchObject({ account: "ada", accessToken: expect.any(String) })
    expect(await textOf(answer)).toBe("from the API")
    expect(site.sent).toEqual([`Bearer ${Reflect.get(token as object, "accessToken")}`])
  })

  test("without a session, both say so", async () => {
    const site = await connected()
    const none = { problem: "not-signed-in" }
    expect(await call(site, {})).toEqual([none, none])
    expect(site.sent).toEqual([])
  })
})
