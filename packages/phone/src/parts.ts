import { type ModuleParts, type ModuleUser, route } from "@latchkey/core/module"
import { add, remove, section } from "./account.js"
import { endCodes, nameOf } from "./codes.js"
import type { Background, Context } from "./context.js"
import { limitsOf, type PhoneOptions, type PhoneServer, problemsOf } from "./options.js"
import { askPage } from "./pages.js"
import type { records } from "./records.js"
import { after, guard, prove } from "./sign-in.js"
import { texts } from "./texts.js"

export function partsOf(options: PhoneOptions): ModuleParts<typeof records, PhoneServer> {
  return {
    prove: async (context) => prove(options, context),
    guard: async (context, attempt) => guard(options, context, attempt),
    after,
    account: async (context, user) => section(options, context, user),
    routes: [
      route("GET", "", { session: "none" }, async (context: Context) => askPage(context)),
      route("POST", "add", { session: "strong" }, async (context: Context, user: ModuleUser) =>
        add(options, context, user),
      ),
      route("POST", "remove", { session: "strong" }, remove),
    ],
    limits: limitsOf(options),
    events: {
      "code-sent": "A code was sent to a phone, or couldn't be.",
      "wrong-code": "A visitor typed a wrong code.",
      added: "A user has a new phone number.",
      removed: "A user removed a phone number.",
      "notice-failed": "An email about a change couldn't be sent.",
    },
    texts,
    script: async () => import("./script.js"),
    revoke: async (context, { id }) => revoke(context, id),
    export: async ({ users }, { id }) => ({ numbers: await users.accounts(id) }),
    server: ({ users }) => ({ numbersOf: async (userId) => users.accounts(userId) }),
    check: () => problemsOf(options),
    doctor: ({ canMail }) =>
      canMail ? [] : ["Users get no emails about changes of their phone number. Add an email provider"],
  }
}

/** Codes under way. The number stays: it's how the user signs in. */
async function revoke(context: Background, userId: string): Promise<void> {
  await endCodes(context, { userId })
  for (const number of await context.users.accounts(userId)) await endCodes(context, { to: await nameOf(number) })
}
