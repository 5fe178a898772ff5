import type { Calls } from "./calls.js"
import { withoutDetails } from "./details.js"
import type { Revoke } from "./model.js"
import { markChanged } from "./state.js"

/** Ends what gives access to the account of any user, in or outside of a request. */
export function revokeOf<E extends object>({ authFor, stateOf }: Calls<E>): Revoke<E> {
  return async (userId, reason, event) => {
    const { config, server } = await authFor(event)
    try {
      await server.revoke(userId, reason)
    } catch (error) {
      throw withoutDetails(error, config)
    } finally {
      // The user may be the one of this request.
      if (event !== undefined) markChanged(stateOf(event))
    }
  }
}
