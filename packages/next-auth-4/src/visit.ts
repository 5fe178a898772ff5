import { AsyncLocalStorage } from "node:async_hooks"
import type { AuthError } from "@latchkey/core/errors"
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
  /** Why the engine refused the request. */
  failure?: AuthError
}

const visits = new AsyncLocalStorage<Visit>()

export function currentVisit(): Visit | undefined {
  return visits.getStore()
}

/** Runs `work` so that {@link currentVisit} returns the visit. */
export function during<T>(visit: Visit, work: () => T): T {
  return visits.run(visit, work)
}

/** The fields of the form, as version 4 passes them. `asked` has what the engine has read. */
export async function bodyOf(asked: Request): Promise<Anything> {
  return currentVisit()?.incoming.body ?? asked.json()
}

/** For the engine, which runs it around each route. */
export async function rememberFailure(_: unknown, run: () => Promise<AuthError | undefined>): Promise<void> {
  const failure = await run()
  const visit = currentVisit()
  if (visit !== undefined && failure !== undefined) visit.failure = failure
}
