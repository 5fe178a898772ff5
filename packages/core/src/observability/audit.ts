import { sessionHandle } from "../crypto/session-handle.js"
import { AuthError, EventError, MissingCSRF } from "../errors.js"
import { clientOf } from "../http/client-ip.js"
import { maxUserAgent } from "../limits/of-input.js"
import type { Audit, Happening, Seen } from "../model/audit.js"
import type { AuthContext } from "../model/auth.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { AuthConfig } from "../model/config.js"
import type { SecurityActor, SecurityEvent, SecurityRequest, SecuritySubject } from "../model/security-event.js"
import type { Module } from "../module-kit/model.js"

/** `undefined`: no handler listens, so nothing is built. */
export function auditOf(auth: AuthContext, { events, modules = [] }: AuthConfig): Audit | undefined {
  const isHeard = [events, ...modules.map((module) => module.on)].some(
    (handlers) => typeof handlers?.security === "function",
  )
  return isHeard ? createAudit(auth) : undefined
}

function createAudit(auth: AuthContext): Audit {
  let seen: Seen = {}
  const audit: Audit = {
    forRequest() {
      const own = createAudit(auth)
      return { audit: own, events: withDerived(auth.events, own) }
    },
    sees: (more) => void (seen = { ...seen, ...more }),
    async emit(happening) {
      try {
        await auth.events.security(await eventOf(auth, seen, happening))
      } catch (cause) {
        auth.logger.error(new EventError("A security event couldn't be built; the request continued", { cause }))
      }
    },
    async failed(error, request) {
      if (error instanceof MissingCSRF) await audit.emit({ name: "csrf.refused", outcome: "failure" })
      const name = stepOf(auth, request)
      if (name !== undefined) await audit.emit({ name, outcome: "failure", reason: reasonOf(error) })
    },
  }
  return audit
}

/**
 * Emits a security event of a module, whose id becomes the first part of the name: `created` of the module `api-keys` is
 * `api-keys.created`.
 *
 * @param happened isn't called if no handler listens
 */
export async function emitOfModule(
  { audit }: Pick<AuthContext, "audit">,
  { id }: Pick<Module, "id">,
  happened: () => Omit<Happening, "name"> & { readonly name: string },
): Promise<void> {
  if (audit === undefined) return
  const { name, ...rest } = happened()
  await audit.emit({ ...rest, name: `${id}.${name}` })
}

/** The type is in the catalogue of errors. A message may say too much. */
export function reasonOf(error: unknown): string {
  return error instanceof AuthError ? error.type : "AuthError"
}

function stepOf({ providers }: AuthContext, request: Parameters<Audit["failed"]>[1]): Happening["name"] | undefined {
  const { action, providerId = "", body } = request
  const type = providers.get(providerId)?.type
  if (action === "factor") return "factor.answered"
  if (action === "signin") return type === "email" ? "email-link.requested" : "sign-in"
  if (action === "callback") return type === "webauthn" && body["action"] === "register" ? "passkey.added" : "sign-in"
  return action === "signout" ? "sign-out" : undefined
}

function withDerived(events: Required<EventCallbacks>, audit: Audit): Required<EventCallbacks> {
  const derived = Object.entries(derivedEvents).map(([name, derive]) => {
    // The table relates each name to its message.
    const [emit, happening] = [events[name as keyof EventCallbacks], derive] as unknown as [Emit, Derive]
    return [name, async (message: object) => void (await Promise.all([emit(message), audit.emit(happening(message))]))]
  })
  return { ...events, ...(Object.fromEntries(derived) as EventCallbacks) }
}

type Emit = (message: object) => Promise<void> | undefined
type Derive = (message: object) => Happening

async function eventOf(auth: AuthContext, seen: Seen, happening: Happening): Promise<SecurityEvent> {
  const { name, outcome, reason, data } = happening
  const subject = subjectOf(seen, happening)
  const event = { name, outcome, at: new Date(auth.runtime.now()), actor: actorOf(seen, happening, subject), subject }
  const request = requestOf(auth, seen)
  const session = seen.session && (await sessionHandle(auth, seen.session.key))
  return { ...event, session, request, ...(reason !== undefined && { reason }), ...(data !== undefined && { data }) }
}

function subjectOf({ request, session }: Seen, { user }: Happening): SecuritySubject {
  // The user who signs in may be another one than that of the session.
  const id = user ?? (request?.providerId === undefined ? session?.userId : undefined)
  return id === undefined ? { kind: "attempt", provider: request?.providerId } : { kind: "user", id: String(id) }
}

function actorOf({ session }: Seen, { by }: Happening, subject: SecuritySubject): SecurityActor {
  if (by === "application") return { kind: "application" }
  if (by === "subject" && subject.kind === "user") return subject
  return session?.userId === undefined ? { kind: "visitor" } : { kind: "user", id: session.userId }
}

function requestOf(auth: AuthContext, { visitor, request }: Seen): SecurityRequest | undefined {
  if (visitor === undefined) return undefined
  const { headers, address: peer, isAddressForgeable: isPeerForgeable } = visitor
  const { address: ip, isForgeable: isIpForgeable } = clientOf(auth, { headers, peer, isPeerForgeable })
  return {
    method: request?.method ?? visitor.method,
    path: request?.path.split("?", 1)[0],
    ip,
    isIpForgeable,
    userAgent: headers.get("user-agent")?.slice(0, maxUserAgent),
  }
}

type Message<N extends keyof EventCallbacks> = Parameters<NonNullable<EventCallbacks[N]>>[0]

/** The security event that follows from an event. Failures have no events of their own, except for `signInFailure`. */
const derivedEvents: { readonly [N in keyof EventCallbacks]?: (message: Message<N>) => Happening } = {
  signIn: ({ user, account, isNewUser }) => ({
    ...by(user, "sign-in"),
    data: { provider: account?.provider, method: account?.type, isNewUser },
  }),
  signOut: (message) => ({
    ...by({ id: endedUser(message) }, "sign-out"),
    ...(message.reason !== undefined && { reason: message.reason }),
  }),
  createUser: ({ user }) => by(user, "user.created"),
  updateUser: ({ user }) => by(user, "email.verified"),
  updateProfile: ({ user }) => by(user, "profile.changed"),
  linkAccount: ({ user, account }) => ({
    ...by(user, account.type === "webauthn" ? "passkey.added" : "account.linked"),
    data: { provider: account.provider },
  }),
  unlinkAccount: ({ user, account }) => ({
    ...by(user, account.type === "webauthn" ? "passkey.removed" : "account.unlinked"),
    data: { provider: account.provider },
  }),
  removePasskey: ({ user }) => by(user, "passkey.removed"),
  renamePasskey: ({ user }) => by(user, "passkey.renamed"),
  revokeSessions: ({ user, scope, count }) => ({ ...by(user, "sessions.revoked"), data: { scope, count } }),
  requestEmailChange: ({ user }) => by(user, "email-change.requested"),
  changeEmail: ({ user }) => by(user, "email.changed"),
  deleteUser: ({ user }) => by(user, "user.deleted"),
}

/** Something that the user has done. */
function by({ id }: { readonly id?: string | undefined }, name: Happening["name"]): Happening {
  return { name, outcome: "success", user: id, by: "subject" }
}

function endedUser(message: Message<"signOut">): string | undefined {
  return "token" in message ? message.token?.sub : message.session?.userId
}
