import type { Background } from "./context.js"
import { createKey, type IssuedKey } from "./create.js"
import type { ApiKeysServer, Issued } from "./index.js"
import { endKey, keysOf, shownKey } from "./keys.js"
import type { Settings } from "./options.js"
import { revokeReported, takeReport } from "./reports.js"
import { rotateKey } from "./rotate.js"
import { remindAll } from "./uses.js"
import { verifyKey } from "./verify.js"

export function serverOf(settings: Settings, context: Background): ApiKeysServer {
  const { prefix } = settings
  const { emit } = context
  const issued = <P extends string>(outcome: IssuedKey | P): Issued<P> =>
    typeof outcome === "string"
      ? { ok: false, problem: outcome }
      : { ok: true, key: outcome.text, apiKey: shownKey(prefix, outcome.key) }
  return {
    verify: async (request, options) => verifyKey(settings, context, request, options),
    async create({ userId, name, scopes = [], expiresIn }) {
      const created = issued(await createKey(settings, context, { userId, name, scopes, expiresIn }))
      const details = created.ok ? { data: { keyId: created.apiKey.keyId } } : failure(created.problem)
      await emit("created", { id: userId }, details)
      return created
    },
    list: async (userId) => (await keysOf(context, userId)).map((key) => shownKey(prefix, key)),
    async rotate(id, { userId, overlap = settings.overlap } = {}) {
      if (!Number.isSafeInteger(overlap) || overlap < 0)
        throw new TypeError("`overlap` isn't a number of seconds. Use 0 or more")
      const rotated = issued(await rotateKey(settings, context, { id, userId, overlap }))
      const owner = rotated.ok ? rotated.apiKey.userId : userId
      await emit("rotated", subjectOf(owner), rotated.ok ? { data: { keyId: id } } : failure(rotated.problem))
      return rotated
    },
    async revoke(id, { userId } = {}) {
      const key = await endKey(context, { id, userId })
      const details = key === null ? failure("not-found") : { data: { keyId: id } }
      await emit("revoked", subjectOf(key?.userId ?? userId), details)
      return key !== null
    },
    remind: async () => ({ sent: await remindAll(settings, context) }),
    reported: async (keys) => ({ revoked: await revokeReported(settings, context, keys) }),
    report: async (request) => takeReport(settings, context, request),
  }
}

/** `null`: no user is known. */
function subjectOf(id: string | undefined): { readonly id: string } | null {
  return id === undefined ? null : { id }
}

/** Of a security event. */
export function failure(reason: string): { readonly outcome: "failure"; readonly reason: string } {
  return { outcome: "failure", reason }
}
