import { sha256 } from "@latchkey/core/module"
import { RateLimited, UntrustedHost } from "@latchkey/core/errors"
import type { Background, Context } from "./context.js"
import type { ApiRequest, RefusalReason, RefusedKey, ValidKey, VerifyOptions } from "./index.js"
import { parseKey } from "./key-text.js"
import type { Settings } from "./options.js"
import { ownerOf } from "./owners.js"
import type { KeyRecord } from "./records.js"
import { refuse } from "./refusal.js"
import { endOf } from "./secrets.js"
import { noteUse } from "./uses.js"

/** Reads the key of a request from its `Authorization` header, and from nowhere else. */
export async function verifyKey(
  settings: Settings,
  background: Background,
  request: ApiRequest,
  { scope = [] }: VerifyOptions = {},
): Promise<ValidKey | RefusedKey> {
  const needed = typeof scope === "string" ? [scope] : scope
  assertScopes(settings, needed)
  const { prefix } = settings
  const headers = headersOf(request)
  const token = tokenIn(headers.get("authorization"))
  if (token === undefined) return refuse(prefix, "missing")
  const typed = parseKey(prefix, token)
  if (typed === undefined) return refuse(prefix, "malformed")
  const context = await contextOf(background, headers)
  if (context === null) {
    await reportRefused(background, "host", null)
    return refuse(prefix, "host")
  }
  const key = await context.records.key.get({ id: typed.id })
  const end = endOf(key, await sha256(typed.secret))
  if (key === null || end === undefined) return refuseWrong(settings, context, { id: typed.id, key })
  return verifyRight(settings, context, { key, end, needed })
}

/** A scope that no key can have is a mistake in the application. */
function assertScopes({ scopes }: Settings, needed: readonly string[]): void {
  const unknown = needed.find((scope) => !scopes.includes(scope))
  if (unknown !== undefined)
    throw new TypeError(`\`scopes\` of apiKeys has no "${unknown}". Add it, or ask for another one`)
}

/** Frameworks on Node have headers as an object. Repeated fields are joined, so two keys aren't one. */
function headersOf({ headers }: ApiRequest): Headers {
  if (headers instanceof Headers) return headers
  const copied = new Headers()
  for (const [name, value = ""] of Object.entries(headers)) {
    const text = typeof value === "string" ? value : value.join(", ")
    if (fieldName.test(name) && fieldValue.test(text)) copied.set(name, text)
  }
  return copied
}

/** RFC 9110 §5.1. The pseudo-headers of HTTP/2 aren't fields. */
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 9110 §5.5. `Headers` throws for anything else. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** A longer header has no key. */
const longestHeader = 256

/** `undefined`: the header is of another scheme. Empty: it has no token. RFC 6750 §2.1. */
function tokenIn(header: string | null): string | undefined {
  if (header === null || !/^bearer(?: |$)/i.test(header.slice(0, 7))) return undefined
  return header.length > longestHeader ? "" : header.slice(7).trim()
}

/** What else a client may write into these says nothing about a key, and mustn't make a request fail, or be of a session. */
const ignored = ["authorization", "cookie", "forwarded", "x-forwarded-host", "x-forwarded-proto"]

/** `null`: the host of the request isn't trusted, and the configuration has no URL that could stand in for it. */
async function contextOf(background: Background, given: Headers): Promise<Context | null> {
  const headers = new Headers(given)
  for (const name of ignored) headers.delete(name)
  try {
    return await background.at({ headers })
  } catch (error) {
    if (!(error instanceof UntrustedHost)) throw error
    return background.atSite().catch(() => null)
  }
}

interface Wrong {
  readonly id: string
  readonly key: KeyRecord | null
}

/**
 * Guesses are counted in a budget of their own, by the address, for the site and by the id, so they don't keep a right key out. What one
 * address may not do anymore counts for no one else. Existing and other ids are counted alike.
 */
async function refuseWrong({ prefix }: Settings, context: Context, { id, key }: Wrong): Promise<RefusedKey> {
  const limited =
    (await limitedFor(context, "wrong-address")) ??
    (await limitedFor(context, "wrong", "site")) ??
    (await limitedFor(context, "wrong-key", id))
  if (limited !== undefined) return refuse(prefix, "limited", { retryAfter: limited })
  await reportRefused(context, "invalid", key)
  return refuse(prefix, "invalid")
}

/** Seconds to wait. `undefined`: the limit isn't reached. */
async function limitedFor(context: Context, limit: string, subject?: string): Promise<number | undefined> {
  try {
    await context.limit(limit, subject)
    return undefined
  } catch (error) {
    if (error instanceof RateLimited) return error.retryAfter
    throw error
  }
}

async function reportRefused(context: Background, reason: RefusalReason, key: KeyRecord | null): Promise<void> {
  const user = key === null ? null : { id: key.userId }
  await context.emit("refused", user, { outcome: "failure", reason, ...(key !== null && { data: { keyId: key.id } }) })
}

async function refuseExpired({ prefix }: Settings, context: Context, key: KeyRecord): Promise<RefusedKey> {
  const limited = await limitedFor(context, "wrong-key", key.id)
  if (limited !== undefined) return refuse(prefix, "limited", { retryAfter: limited })
  await reportRefused(context, "expired", key)
  return refuse(prefix, "expired")
}

interface Right {
  readonly key: KeyRecord
  /** When the secret ends. */
  readonly end: number
  readonly needed: readonly string[]
}

async function verifyRight(
  settings: Settings,
  context: Context,
  { key, end, needed }: Right,
): Promise<ValidKey | RefusedKey> {
  const { prefix, rateLimit } = settings
  // A secret that has ended must not use up what the current one may do.
  if (end <= context.now()) return refuseExpired(settings, context, key)
  const retryAfter = rateLimit === false ? undefined : await limitedFor(context, "key", key.id)
  if (retryAfter !== undefined) return refuse(prefix, "limited", { retryAfter })
  const refused = async (reason: RefusalReason) => {
    await reportRefused(context, reason, key)
    return refuse(prefix, reason, reason === "scope" ? { scope: needed } : {})
  }
  const owner = await ownerOf(settings, context, key.userId)
  if (owner === null) return refused("owner")
  const scopes = key.scopes.filter((scope) => owner.rights.includes(scope))
  if (!needed.every((scope) => scopes.includes(scope))) return refused("scope")
  await noteUse(settings, context, key, owner.user)
  return { ok: true, keyId: key.id, userId: key.userId, user: owner.user, scopes, expiresAt: key.expiresAt ?? null }
}
