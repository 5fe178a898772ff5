import type { ModuleParts } from "@latchkey/core/module"
import type { Background } from "./context.js"
import { section } from "./account.js"
import { devicesOf, forgetDevices } from "./devices.js"
import { factorOf, importApp, methodsIn } from "./factor.js"
import type { MfaServer } from "./index.js"
import { defaults, type MfaOptions, problemsOf } from "./options.js"
import { forgetPlace } from "./place.js"
import type { records } from "./records.js"
import { cancelReset, notifyOfReset, startReset } from "./reset.js"
import { routesOf } from "./routes.js"
import { provenAt } from "./proof.js"
import { smsLimits } from "./sms-limits.js"
import { after, amr, form, isAccepted, isRequired, verify } from "./sign-in.js"
import { pageThatAsks, required } from "./step-up.js"
import { texts } from "./texts.js"

type Parts = ModuleParts<typeof records, MfaServer>

export function partsOf(options: MfaOptions): Parts {
  return {
    texts,
    factor: {
      amr,
      // A passkey that verified its user is a device and a gesture already.
      exempt: ["hwk"],
      isRequired: async (context, attempt) => isRequired(options, context, attempt),
      accepts: (_, attempt) => isAccepted(options, attempt),
      form: async (context, attempt) => form(options, context, attempt),
      verify: async (context, attempt, fields) => verify(options, context, attempt, fields),
    },
    async after(context, attempt) {
      forgetPlace(context)
      await after(options, context, attempt)
    },
    keepsPasskey: async (context, user, id) => (await factorOf(context, user.id))?.passkey?.includes(id) === true,
    stepUp: {
      // A proof of a factor that is gone counts for nothing.
      provenAt: async (context, { id }) => ((await factorOf(context, id)) === null ? null : provenAt(context, id)),
      page: async (context, user, question) => pageThatAsks(context, user.id, question),
    },
    account: async (context, user) => section(options, context, user),
    routes: routesOf(options),
    limits: {
      confirm: { points: 5, seconds: 900, thenEvery: 120 },
      verify: { points: 5, seconds: 900, thenEvery: 120 },
      ...smsLimits,
    },
    events,
    revoke: async (context, { id }) => revoke(context, id),
    export: async (context, { id }) => kept(context, id),
    server: (context) => serverOf(options, context),
    check: () => problemsOf(options),
    doctor: ({ canMail }) =>
      canMail ? [] : ["Users get no emails about changes of their second factor. Add an email provider"],
  }
}

const events: NonNullable<Parts["events"]> = {
  imported: "The key of an authenticator app of another system was stored for a user.",
  enrolled: "A user set a method of the second factor up.",
  removed: "A user removed a method of the second factor.",
  verified: "A signed-in user proved the second factor, or an answer was wrong.",
  "recovery-used": "A recovery code was used.",
  "recovery-regenerated": "A user got new recovery codes.",
  "code-sent": "A code was sent, or couldn't be.",
  "device-trusted": "A user trusts a device for 30 days.",
  "device-removed": "A user doesn't trust a device anymore.",
  "reset-started": "The application started to remove the second factor.",
  "reset-canceled": "The user or the application canceled that.",
  "reset-done": "The second factor was removed after the delay.",
  "notice-failed": "An email about a change couldn't be sent.",
}

/** Trusted devices are credentials. The factor stays: without it, a thief of the password or the mailbox would come in. */
async function revoke(context: Background, userId: string): Promise<void> {
  await forgetDevices(context, userId)
  for (const kind of [context.records.setup, context.records.sent]) {
    const { items } = await kind.find({ userId })
    for (const { id } of items) await kind.remove({ id })
  }
}

async function kept(context: Background, userId: string): Promise<object> {
  const { records } = context
  const factor = await factorOf(context, userId)
  const devices = await devicesOf(context, userId)
  const { email, sms, since, recovery = [] } = factor ?? {}
  return {
    methods: methodsIn(factor),
    email: email ?? null,
    phone: sms ?? null,
    since: since ?? null,
    recoveryCodesLeft: recovery.length,
    devices: devices.map(({ name, since: from }) => ({ name, since: from })),
    resetAt: (await records.reset.get({ userId }))?.readyAt ?? null,
    graceUntil: (await records.grace.get({ userId }))?.until ?? null,
  }
}

function serverOf({ resetDelay = defaults.resetDelay }: MfaOptions, context: Background): MfaServer {
  return {
    isEnrolled: async (userId) => (await factorOf(context, userId)) !== null,
    methods: async (userId) => methodsIn(await factorOf(context, userId)),
    require: async (request, options) => required(context, request, options),
    async startReset({ id, email }, request) {
      const readyAt = await startReset(context, id, resetDelay)
      if (readyAt === null) return null
      if (request !== undefined) await notifyOfReset(await context.at(request), { id, email }, readyAt)
      return { readyAt }
    },
    async cancelReset(userId) {
      await cancelReset(context, userId)
    },
    importApp: async (userId, key) => importApp(context, userId, key),
    forgetDevices: async (userId) => forgetDevices(context, userId),
  }
}
