import type { SecurityEvent } from "@latchkey/core/types"

/** Something that happened, as JSON. Keys are never renamed or removed under one `v`; later releases may add some. */
export interface AuditEntry {
  /** The version of this format. */
  readonly v: 1
  /** A UUID of version 7 (RFC 9562 §5.7): unique, and in the order in which entries were made in a process. */
  readonly id: string
  /** UTC, such as `2030-01-02T03:04:05.678Z`. */
  readonly at: string
  /** Of the catalogue, such as `sign-in`, or of a module, such as `api-keys.created`. At most 128 characters. */
  readonly name: string
  readonly outcome: "success" | "failure"
  /** Who did it. */
  readonly actor: AuditActor
  /** Whom it concerns. */
  readonly subject: AuditSubject
  /** Names the session, in the same way as `sessions()` of the account. */
  readonly session?: string
  /** Missing: the application did it outside of a request. */
  readonly request?: AuditRequest
  /** The type of the error, or the reason that the application gave. */
  readonly reason?: string
  readonly data?: Readonly<Record<string, string | number | boolean | readonly string[]>>
}

export type AuditActor =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "visitor" }
  | { readonly kind: "application" }

/** `provider` is the id of what was tried by an unknown user. */
export type AuditSubject =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "attempt"; readonly provider?: string }

export interface AuditRequest {
  readonly method?: string
  /** Without the query. */
  readonly path?: string
  /** As rate limits see it: an IPv6 address stands for its /64. */
  readonly ip?: string
  /** The client may have written `ip` itself. */
  readonly ipForgeable: boolean
  readonly userAgent?: string
}

export function entryOf(event: SecurityEvent, nextId: NextId): AuditEntry {
  const { name, outcome, at, actor, subject, session, request, reason, data } = event
  return {
    v: 1,
    id: nextId(at.getTime()),
    at: at.toISOString(),
    name: name.slice(0, maxName),
    outcome,
    actor: actor.kind === "user" ? { kind: "user", id: idText(actor.id) } : { kind: actor.kind },
    subject:
      subject.kind === "user"
        ? { kind: "user", id: idText(subject.id) }
        : { kind: "attempt", ...given({ provider: clean(subject.provider) }) },
    ...given({ session, request: request && requestOf(request), reason: clean(reason), data: data && dataOf(data) }),
  }
}

/** What a sink that failed has missed. */
export function lostEntry(count: number, now: number, nextId: NextId): AuditEntry {
  return {
    v: 1,
    id: nextId(now),
    at: new Date(now).toISOString(),
    name: "audit.lost",
    outcome: "failure",
    actor: { kind: "application" },
    subject: { kind: "attempt" },
    data: { count },
  }
}

type Request = NonNullable<SecurityEvent["request"]>

function requestOf({ method, path, ip, isIpForgeable: ipForgeable, userAgent }: Request): AuditRequest {
  const facts = given({ method: clean(method), path: clean(path), ip })
  return { ...facts, ipForgeable, ...given({ userAgent: clean(userAgent) }) }
}

type Data = NonNullable<SecurityEvent["data"]>

function dataOf(data: Data): NonNullable<AuditEntry["data"]> {
  const values = Object.entries(data).slice(0, maxItems)
  return Object.fromEntries(
    values.flatMap(([key, value]) => (value === undefined ? [] : [[key.slice(0, maxName), valueOf(value)]])),
  )
}

function valueOf(value: NonNullable<Data[string]>): string | number | boolean | readonly string[] {
  if (typeof value === "string") return withoutEmails(value)
  return typeof value === "object" ? value.slice(0, maxItems).map((each) => withoutEmails(each)) : value
}

// With them, an entry fits into a row of every database.
const maxName = 128
const maxText = 500
const maxItems = 50

/** Events have no email and no secret. But a visitor may write one into a `User-Agent`, and an application into a reason. */
function clean(text: unknown): string | undefined {
  // An application without types can give a reason that's a number.
  return text === undefined || text === null
    ? undefined
    : withoutEmails(wordsOf(text).slice(0, maxCleaned).replaceAll(token, redacted))
}

/** Data can have the id of a client or key, which may look like a secret. */
/** JavaScript may pass anything as a reason. */
function wordsOf(given: unknown): string {
  return typeof given === "string" || typeof given === "number" ? String(given) : typeof given
}

function withoutEmails(text: string): string {
  return text.slice(0, maxCleaned).replaceAll(email, redacted).slice(0, maxText)
}

const maxCleaned = 4 * maxText
const redacted = "[redacted]"
const email = /[^\s@<>"'(),:;]{1,64}(?:@|%40)[^\s@<>"'(),:;]{1,255}/gi
/** What is as long as a secret and has no spaces. A path has slashes. */
const token = /[\w~+=%-]{32,}(?:\.[\w~+=%-]+)*/g

/** Half a surrogate pair can't be stored. */
function idText(id: string): string {
  return id.length > maxText ? id.slice(0, maxText).replace(/[\ud800-\udbff]$/, "") : id
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

/** @param at milliseconds since 1970 */
export type NextId = (at: number) => string

/** Ids of which each is greater than the one before, also within a millisecond or if the clock goes back (RFC 9562 §6.2). */
export function createIds(): NextId {
  let [last, count] = [0, 0]
  return (at) => {
    count = at > last ? 0 : count + 1
    last = Math.max(at, last) + (count > 0xf_ff ? 1 : 0)
    count &= 0xf_ff
    const time = last.toString(16).padStart(12, "0")
    const random = crypto.randomUUID().slice(19)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}-${random}`
  }
}
