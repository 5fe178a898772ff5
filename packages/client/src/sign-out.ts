import type { SignOutParams, SignOutResponse } from "./model.js"
import { verdictOf } from "./result.js"
import type { Sync } from "./sync.js"
import type { Wire } from "./wire.js"

type SignOutOverWire = (options?: SignOutParams<boolean>) => Promise<SignOutResponse | undefined>

export function signOutOver<S>(wire: Wire, sync: Sync<S>): SignOutOverWire {
  return async ({ redirect = true, redirectTo, callbackUrl } = {}) => {
    const wanted = redirectTo ?? callbackUrl ?? wire.here()
    const answer = await sync.inTurn(() => wire.post("signout", { callbackUrl: wanted }))
    const { ok, target } = verdictOf(answer, wanted, wire.here())
    const url = String(target ?? `${wire.base()}/error`)
    if (!redirect) {
      if (ok) sync.establish(null, "signout")
      return { url, ok }
    }
    // This page keeps what it shows until it is left: without a session it might lead somewhere else first.
    if (ok) sync.announce(null, "signout")
    wire.go(url)
    return undefined
  }
}
