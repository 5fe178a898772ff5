import type { ModuleParts } from "@latchkey/core/module"
import { section } from "./account.js"
import type { Background } from "./context.js"
import { doctor } from "./doctor.js"
import type { ApiKeysServer } from "./index.js"
import { endKeysOf, keysOf, shownKey } from "./keys.js"
import { type ApiKeysOptions, problemsOf, settingsOf } from "./options.js"
import type { records } from "./records.js"
import { routesOf } from "./routes.js"
import { serverOf } from "./server.js"
import { texts } from "./texts.js"

type Parts = ModuleParts<typeof records, ApiKeysServer>

export function partsOf(options: ApiKeysOptions): Parts {
  const settings = settingsOf(options)
  return {
    texts,
    account: async (context, user) => section(settings, context, user),
    routes: routesOf(settings),
    limits: {
      ...(settings.rateLimit !== false && { key: settings.rateLimit }),
      issue: { points: 20, seconds: 900 },
      // Wrong keys of all visitors, those with one id, and those from one address.
      wrong: { points: 600, seconds: 60 },
      "wrong-key": { points: 20, seconds: 900 },
      "wrong-address": { points: 60, seconds: 60, by: "address" },
    },
    events,
    async revoke(context, { id }, reason) {
      if (!settings.keepOnRevoke(reason)) await endKeysOf(context, id)
    },
    export: async (context: Background, { id }) =>
      (await keysOf(context, id)).map((key) => shownKey(settings.prefix, key)),
    server: (context) => serverOf(settings, context),
    check: () => problemsOf(settings),
    doctor: async (context) => doctor(settings, context),
  }
}

const events: NonNullable<Parts["events"]> = {
  created: "A user or the application created an API key, or couldn't.",
  rotated: "The secret of an API key was replaced, or couldn't be.",
  revoked: "A user or the application ended an API key, or there was none.",
  reported: "An API key was reported as leaked, and ended.",
  refused: "A request with a wrong or ended API key, or for something that it doesn't allow, was refused.",
  used: "An API key was used, for the first time in an hour.",
  reminded: "The owner of an API key got an email, because it expires soon.",
  "notice-failed": "An email about an API key couldn't be sent.",
}
