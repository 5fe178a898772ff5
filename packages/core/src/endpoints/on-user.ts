import { AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { Visitor } from "../model/http.js"
import type { UserExport } from "../model/user-export.js"
import { exportUser } from "../revoke/export.js"
import { revoke } from "../revoke/revoke.js"
import { disable, enable } from "../revoke/switch.js"

type Call = <T>(visitor: Visitor | undefined, work: (auth: AuthContext) => Promise<T>) => Promise<T>

/** What the application does with any user. It needs no request. */
export interface OnUser {
  /**
   * Ends everything that gives access to the account of a user: their sessions, open email links and email changes, and what
   * modules have issued. The user can sign in again. It needs no request.
   *
   * @param reason for the security event and the modules, such as `"stolen laptop"`
   * @param visitor passed to a configuration function, which gets `undefined` otherwise
   * @throws RevokeError if something may still work. Everything else has ended
   */
  revoke(userId: string, reason?: string, visitor?: Visitor): Promise<void>
  /**
   * Ends what `revoke` ends, and refuses every sign-in of the user and what modules accept from them, until `enable`. It needs records, and
   * no request.
   *
   * @param reason for the security event, the modules and `export`
   * @param visitor passed to a configuration function, which gets `undefined` otherwise
   * @throws InvalidConfig without records
   * @throws RevokeError if something may still work. Everything else has ended, and the user is disabled
   */
  disable(userId: string, reason?: string, visitor?: Visitor): Promise<void>
  /** Lets a user sign in again whom `disable` keeps out. What it ended stays ended. @throws InvalidConfig without records */
  enable(userId: string, visitor?: Visitor): Promise<void>
  /** Everything that is stored about a user, by the adapter, by core and by the modules, as JSON without secrets. */
  export(userId: string, visitor?: Visitor): Promise<UserExport>
}

export function onUser(call: Call): OnUser {
  const act = <R>(visitor: Visitor | undefined, userId: string, work: (auth: AuthContext) => Promise<R>) =>
    call(visitor, async (auth) => {
      // Some databases take a missing id for every row.
      if (userId && typeof userId === "string") return work(auth)
      throw new AuthError("There is no user id. Pass the id of the user as text")
    })
  return {
    revoke: (userId, reason, visitor) => act(visitor, userId, (auth) => revoke(auth, userId, reason)),
    disable: (userId, reason, visitor) => act(visitor, userId, (auth) => disable(auth, userId, reason)),
    enable: (userId, visitor) => act(visitor, userId, (auth) => enable(auth, userId)),
    export: (userId, visitor) => act(visitor, userId, (auth) => exportUser(auth, userId)),
  }
}
