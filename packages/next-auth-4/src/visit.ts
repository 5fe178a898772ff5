import { AsyncLocalStorage } from "node:async_hooks"
import type { IncomingRequest } from "./request.js"
import type { Anything } from "./model.js"

/** What the functions of the application did during one request. The engine doesn't pass it on. */
export interface Visit {
  readonly incoming: IncomingRequest
  /** What `profile` of an OAuth provider returned. */
  profile?: Anything
  /** What `authorize` threw, whose message is the `?error=`. */
  thrownByAuthorize?: unknown
  /** What the `signIn` callback returned: a URL is where a refused sign-in leads. */
  chosen?: unknown
  /** What the `signIn` callback threw, whose message is the `?error=`. */
  thrownBySignIn?: unknown
  /** Why the engine refused the sign-in. */
  failure?: Error
}

const visits = new AsyncLocalStorage<Visit>()

export function currentVisit(): Visit | undefined {
  return visits.getStore()
}

/** Runs `work` so that {@link currentVisit} returns the visit. */
export function during<T>(visit: Visit, work: () => T): T {
  return visits.run(visit, work)
}
