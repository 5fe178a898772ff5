import { sendAnswer, sendFastifyAnswer } from "@latchkey/core/node-http"
import { expect, test } from "vitest"

/** A reply whose headers earlier middleware has set. */
function reply() {
  const headers = new Map<string, unknown>([["surrogate-control", "max-age=60"]])
  const raw = {
    headersSent: false,
    statusCode: 0,
    getHeader: (name: string) => headers.get(name) as string | undefined,
    setHeader: (name: string, value: unknown) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
    getHeaderNames: () => [...headers.keys()],
    end: () => undefined,
  }
  const fastify = { ...raw, raw, sent: false, code: () => undefined, header: raw.setHeader, send: () => undefined }
  return { headers, raw, fastify }
}

test.each([
  ["public, max-age=60", ["cache-control", "surrogate-control"], "public, max-age=60"],
  ["private, no-cache, no-store", ["cache-control", "vary"], "private, no-store"],
])("an answer that's %s has the headers %j", (own, names, expected) => {
  const answer = { status: 200, headers: { "cache-control": own }, cookies: [], body: "{}" }
  const [node, fastify] = [reply(), reply()]
  sendAnswer(answer, node.raw)
  sendFastifyAnswer(answer, fastify.fastify)
  for (const { headers } of [node, fastify]) {
    expect([...headers.keys()].sort()).toEqual(names)
    expect(headers.get("cache-control")).toBe(expected)
  }
})
