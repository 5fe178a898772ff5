import type { PlainRequest } from "@latchkey/core/integration"
import type { NodeEvent } from "./model.js"

/** Where h3 1 keeps a body that it has read. */
const rawBody = Symbol.for("h3RawBody")

interface BodyFields {
  readonly [rawBody]?: unknown
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** The body, if h3 1 has read it already, or if the platform passes it without a stream. */
export function storedBody({ node: { req }, _requestBody }: NodeEvent): PlainRequest["body"] | undefined {
  const fields: BodyFields & object = req
  const stored = _requestBody ?? fields[rawBody] ?? fields.rawBody ?? fields.body
  if (stored instanceof ReadableStream) return stored
  const isText = typeof stored === "string" || stored instanceof Uint8Array || stored instanceof Promise
  if (!isText && !("__unenv__" in req)) return undefined
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const body: unknown = await stored
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
      if (bytes instanceof Uint8Array && bytes.length > 0) controller.enqueue(bytes as Uint8Array<ArrayBuffer>)
      controller.close()
    },
  })
}
