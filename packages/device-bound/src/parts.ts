import { type ModuleParts, route } from "@latchkey/core/module"
import { type DeviceBoundOptions, problemsOf, settingsOf } from "./options.js"
import { bind } from "./pass.js"
import { refresh } from "./refresh.js"
import { offer, register } from "./register.js"

export function partsOf(options: DeviceBoundOptions): ModuleParts {
  const { maxAge, required } = settingsOf(options)
  const own = { session: "none", csrf: false } as const
  return {
    async after(context, { id }) {
      // A session that goes on has what it needs, and one of a visitor who proved nothing needs none.
      if (id === undefined) return {}
      await bind(context, id, required ? maxAge : undefined)
      return offer(context, id, maxAge)
    },
    // Scripts and forms of other sites can't send the headers that both require, so they need no CSRF token.
    // A cookie of this module counts only beside a session.
    revoke: () => undefined,
    routes: [
      route("POST", "register", own, register),
      route("POST", "refresh", own, async (context) => refresh(context, maxAge)),
    ],
    events: {
      registered: "A browser bound its key to a session.",
      refused: "A proof was signed with another key than that of the session. The session may be stolen.",
    },
    check: () => problemsOf(options),
  }
}
