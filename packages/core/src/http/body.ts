import type { AuthRequest } from "../model/http.js"
import { params } from "./auth-request.js"

/** A body that cannot be read; `status` is what the sender is told. */
export class UnreadableBody extends Error {
  readonly status: 400 | 413 | 415
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** In bytes. */
const maxBodyBytes = 64 * 1024

/** More than any form has; what reads one field after the other must not be kept busy. */
const maxFields = 1000

/** More levels than any data of a page has: functions that walk them, ours and the application's, are recursive. */
const maxJsonDepth = 32

export const noBody: AuthRequest["body"] = Object.freeze(Object.create(null) as Record<string, unknown>)

/** @throws UnreadableBody */
export async function readBody(request: Request): Promise<AuthRequest["body"]> {
  if (request.body === null) return noBody
  const given = request.headers.get("content-type") ?? ""
  // Media types are compared without case (RFC 9110 §8.3.1); the boundary of a multipart form is not.
  const type = given.toLowerCase()
  const bytes = await readAtMost(request.body, maxBodyBytes)
  if (bytes.length === 0) return noBody
  if (type.includes("application/json")) return parseJson(bytes)
  if (type.includes("application/x-www-form-urlencoded"))
    return unambiguous(new URLSearchParams(new TextDecoder().decode(bytes)))
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
      // A stream that has broken off in the meantime refuses to be cancelled.
      await reader.cancel().catch(() => {})
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

function parseJson(bytes: Uint8Array): AuthRequest["body"] {
  const text = new TextDecoder().decode(bytes)
  try {
    const parsed: unknown = JSON.parse(text, dropPrototypeKeys)
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) && !exceeds(parsed, maxJsonDepth)) {
      return Object.assign(Object.create(null), parsed) as Record<string, unknown>
    }
  } catch {
    // Answered below.
  }
  throw new UnreadableBody(400, "The body is not a JSON object of few levels and fields")
}

function exceeds(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  const items = Object.values(value)
  return items.length > maxFields || items.some((item) => exceeds(item, levels - 1))
}

/** Two addresses are no address: who checked the first must not have vouched for the last. */
function unambiguous(fields: URLSearchParams): AuthRequest["body"] {
  if (fields.size > maxFields) throw new UnreadableBody(413, "The form has too many fields")
  const emails = new Set(fields.getAll("email"))
  return emails.size > 1 ? Object.assign(Object.create(null), params(fields), { email: [...emails] }) : params(fields)
}

/** Keys by which an application that merges the data, however deeply, could reach `Object.prototype`. */
function dropPrototypeKeys(key: string, value: unknown): unknown {
  return key === "__proto__" || (key === "constructor" && hasPrototype(value)) ? undefined : value
}

function hasPrototype(value: unknown): boolean {
  return Object.hasOwn(Object(value), "prototype")
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<AuthRequest["body"]> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new UnreadableBody(400, "The form cannot be read")
  })
  const fields = new URLSearchParams()
  for (const [name, value] of form) if (typeof value === "string") fields.append(name, value)
  return unambiguous(fields)
}
