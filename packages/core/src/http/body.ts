import { maxBodyBytes, maxBodyFields, maxBodyNesting } from "../limits/of-input.js"
import type { AuthRequest, PlainRequest } from "../model/http.js"
import { nestsDeeper } from "../primitives/exact-json.js"
import { readAtMost } from "../primitives/read-at-most.js"
import { nothing, params, rememberRepeated } from "./auth-request.js"

/** A body that can't be read. `status` is the status of the response. */
export class UnreadableBody extends Error {
  readonly status: 400 | 413 | 415
  constructor(status: 400 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** @throws UnreadableBody */
export async function readBody({
  body,
  headers,
}: Pick<PlainRequest, "body" | "headers">): Promise<AuthRequest["body"]> {
  if (body === null) return nothing
  const given = headers.get("content-type") ?? ""
  // Media types are case-insensitive (RFC 9110 §8.3.1); the boundary of a multipart form isn't.
  const type = given.toLowerCase()
  const bytes = body instanceof Uint8Array ? body : await bytesOf(body)
  if (bytes === undefined || bytes.length > maxBodyBytes) throw new UnreadableBody(413, "The body is too large")
  if (bytes.length === 0) return nothing
  if (type.includes("application/json")) return parseJson(bytes)
  if (type.includes("application/x-www-form-urlencoded"))
    return withoutRepeatedEmail(new URLSearchParams(new TextDecoder().decode(bytes)))
  if (type.includes("multipart/form-data")) return parseMultipart(bytes, given)
  throw new UnreadableBody(415, "The body is neither a form nor JSON")
}

async function bytesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readAtMost(body, maxBodyBytes)
  } catch {
    throw new UnreadableBody(400, "The body ended early")
  }
}

function parseJson(bytes: Uint8Array): AuthRequest["body"] {
  const text = new TextDecoder().decode(bytes)
  try {
    const parsed: unknown = JSON.parse(text, dropPrototypeKeys)
    if (
      typeof parsed === "object" &&
      parsed !== null &&
      !Array.isArray(parsed) &&
      !nestsDeeper(parsed, maxBodyNesting) &&
      !isWide(parsed)
    ) {
      const body = Object.assign(Object.create(null), parsed) as Record<string, unknown>
      const names = namesIn(text)
      const emails = names.filter((name) => name === "email")
      // As in a form, see below.
      return rememberRepeated(emails.length > 1 ? Object.assign(body, { email: [body["email"]] }) : body, names)
    }
  } catch {
    // Not JSON, so the error below is the right one.
  }
  throw new UnreadableBody(400, "The body isn't a JSON object, or it has too many levels or fields")
}

/** Only for values that aren't nested too deep. */
function isWide(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const items = Object.values(value)
  return items.length > maxBodyFields || items.some(isWide)
}

/** The names in a JSON object, also those that it repeats. `JSON.parse` keeps the last value of each. */
function namesIn(text: string): readonly string[] {
  const names: string[] = []
  let level = 0
  for (const [token, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (name === undefined) level += token === "{" || token === "[" ? 1 : -1
    else if (colon !== undefined && level === 1) names.push(String(JSON.parse(name)))
  }
  return names
}

/** Keeps repeated email fields as an array: a validator may check the first while we use the last. */
function withoutRepeatedEmail(fields: URLSearchParams): AuthRequest["body"] {
  if (fields.size > maxBodyFields) throw new UnreadableBody(413, "The form has too many fields")
  const emails = new Set(fields.getAll("email"))
  const read = params(fields)
  return rememberRepeated(
    emails.size > 1 ? Object.assign(Object.create(null), read, { email: [...emails] }) : read,
    fields.keys(),
  )
}

/** Drops keys that would change `Object.prototype` when an application merges the data (prototype pollution). */
function dropPrototypeKeys(key: string, value: unknown): unknown {
  return key === "__proto__" || (key === "constructor" && hasPrototype(value)) ? undefined : value
}

function hasPrototype(value: unknown): boolean {
  return Object.hasOwn(Object(value), "prototype")
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<AuthRequest["body"]> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new UnreadableBody(400, "The form can't be read")
  })
  const fields = new URLSearchParams()
  for (const [name, value] of form) if (typeof value === "string") fields.append(name, value)
  return withoutRepeatedEmail(fields)
}
