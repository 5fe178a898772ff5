import type { ModuleParts } from "@latchkey/core/module"
import { labels } from "./labels.js"
import { type AnonymousOptions, type AnonymousServer, defaults, problemsOf } from "./options.js"
import type { records } from "./records.js"
import { after, emailChanged, guard, mayChangeEmail, needsRows, prove } from "./sign-in.js"
import { sweep } from "./sweep.js"

export function partsOf(options: AnonymousOptions): ModuleParts<typeof records, AnonymousServer> {
  return {
    prove,
    guard,
    mayChangeEmail,
    emailChanged,
    after: async (context, signIn) => after(options, context, signIn),
    limits: { create: { points: options.perHour ?? defaults.perHour, seconds: 3600 } },
    events: {
      created: "A visitor became an anonymous user.",
      upgraded: "An anonymous user became an account, or signed in to one.",
      removed: "An anonymous user without sessions was removed.",
    },
    texts: Object.assign(
      { en: { guest: labels.en } },
      Object.fromEntries(Object.entries(labels).map(([tag, guest]) => [tag, { guest }])),
    ),
    // A guest has nothing but sessions, which core ends.
    revoke: () => undefined,
    async export({ records }, { id }) {
      const guest = await records.guest.get({ userId: id })
      return guest === null ? null : { anonymousSince: guest.createdAt.toISOString() }
    },
    server: (context) => ({
      isAnonymous: async (userId) =>
        (await context.records.guest.get({ userId })) !== null && !(await context.users.byId(userId))?.email,
      sweep: async (wanted) => sweep(options, context, wanted),
    }),
    check: () => problemsOf(options),
    doctor: ({ users }) => (users.canEndSessions ? [] : [`No visitor can become an anonymous user. ${needsRows}`]),
  }
}
