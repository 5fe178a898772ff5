import type { Incoming } from "../model/http.js"
import { params } from "./incoming.js"

/** A body that cannot be read; `status` is what the sender is told. */
export class UnreadableBody extends Error {
  readonly status: 400 | 413 | 415
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** In bytes. */
const largestBody = 64 * 1024

export const noBody: Incoming["body"] = Object.freeze(Object.create(null) as Record<string, unknown>)

/** @throws UnreadableBody */
export async function readBody(request: Request): Promise<Incoming["body"]> {
  if (request.body === null) return noBody
  const given = request.headers.get("content-type") ?? ""
  // Media types are compared without case (RFC 9110 §8.3.1); the boundary of a multipart form is not.
  const type = given.toLowerCase()
  const bytes = await readAtMost(request.body, largestBody)
  if (bytes.length === 0) return noBody
  if (type.includes("application/json")) return parseJson(bytes)
  if (type.includes("application/x-www-form-urlencoded"))
    return params(new URLSearchParams(new TextDecoder().decode(bytes)))
  if (type.includes("multipart/form-data")) return parseMultipart(bytes, given)
  throw new UnreadableBody(415, "The body is neither a form nor JSON")
}

/** Counts what arrives: `Content-Length` is only a promise. */
async function readAtMost(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new UnreadableBody(400, "The body broke off")
    })
    if (done) return joined(chunks, length)
    length += value.length
    if (length > limit) {
      await reader.cancel()
      throw new UnreadableBody(413, "The body is too large")
    }
    chunks.push(value)
  }
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const [first, second] = chunks
  if (first !== undefined && second === undefined) return first
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

function parseJson(bytes: Uint8Array): Incoming["body"] {
  const text = new TextDecoder().decode(bytes)
  try {
    const parsed: unknown = JSON.parse(text, dropPrototypeKeys)
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return Object.assign(Object.create(null), parsed) as Record<string, unknown>
    }
  } catch {
    // Answered below.
  }
  throw new UnreadableBody(400, "The body is not a JSON object")
}

/** A key of this name could reach `Object.prototype` when an application merges the data. */
function dropPrototypeKeys(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Incoming["body"]> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new UnreadableBody(400, "The form cannot be read")
  })
  const body: Record<string, unknown> = Object.create(null)
  for (const [name, value] of form) if (typeof value === "string") body[name] = value
  return body
}
