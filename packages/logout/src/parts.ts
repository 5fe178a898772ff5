import { type ModuleParts, type Route, route } from "@latchkey/core/module"
import { backChannelLogout } from "./back-channel.js"
import type { Context, Result } from "./context.js"
import { frontChannelLogout } from "./front-channel.js"
import { comeBack, leave, postToProvider } from "./leave.js"
import { type LogoutOptions, problemsOf } from "./options.js"
import type { records } from "./records.js"
import { forgetEnded, remember } from "./sign-ins.js"

type Parts = ModuleParts<typeof records>

export function partsOf(options: LogoutOptions): Parts {
  return {
    endsSessions: true,
    after: async (context, signIn) => remember(options, context, signIn),
    leave: async (context, signOut) => leave(options, context, signOut),
    routes: routesOf(options),
    events,
    // The session that a change of the password leaves can still be ended by its provider.
    revoke: async ({ random, records, users }, { id }) => forgetEnded({ random, records, users }, id),
    async export({ records }, { id }) {
      const { items } = await records.signIn.find({ userId: id })
      return items.map(({ provider, account, issuedAt }) => ({ provider, account, issuedAt }))
    },
    check: () => problemsOf(options),
  }
}

const events: NonNullable<Parts["events"]> = {
  ended: "A provider ended the sessions of one of its users. `count` of the data is how many there were.",
  refused: "A request that isn't a logout of this provider was refused.",
  failed: "Sessions that a provider ended couldn't be ended here. The provider may try again.",
  unreachable: "A user signed out here, and the provider couldn't be told.",
}

/** The provider has neither cookies of this site nor a token of its forms: what it sends is signed, or secret. */
const anyone = { session: "none", csrf: false } as const

function routesOf({ frontChannel = false }: LogoutOptions): readonly Route[] {
  const open = (method: string, path: string, handle: (context: Context) => Promise<Result>) =>
    route<typeof records>(method, path, anyone, handle)
  return [
    open("POST", "backchannel-logout/:provider", backChannelLogout),
    ...(frontChannel ? [open("GET", "frontchannel-logout/:provider", frontChannelLogout)] : []),
    open("GET", "leave", postToProvider),
    open("GET", "return", comeBack),
  ]
}
