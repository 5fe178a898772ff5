import { AdapterError } from "../errors.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { Identity } from "../model/session-strategy.js"
import type { AccountProof, LinkDecision, MailboxProof } from "../model/signin.js"
import { mutexOf } from "../primitives/keyed-mutex.js"
import { enroll } from "./enroll.js"

interface Resolution {
  readonly auth: AuthContext
  readonly adapter: Adapter
  readonly proof: AccountProof | MailboxProof
  /** Sign-ins with the same key run one after the other, since not every database has a unique index. */
  readonly key: string
  readonly owner: AdapterUser | null
  findOwner(): Promise<AdapterUser | null>
  decide(owner: AdapterUser | null): Promise<LinkDecision>
}

/** Agrees with the database on who is signing in. */
export function resolveIdentity(resolution: Resolution): Promise<Identity> {
  const { auth, adapter, proof, key, owner, findOwner, decide } = resolution
  return mutexOf(auth).runExclusive(key, async () => {
    const decision = await decide(owner ?? (await findOwner()))
    try {
      return await enroll(auth, adapter, proof, decision)
    } catch (cause) {
      // Another process may have created the same user a moment ago. Then the rules for an existing user apply.
      if (!(cause instanceof AdapterError) || decision.kind !== "create") throw cause
      const second = await decide(await findOwner())
      if (second.kind === "create") throw cause
      return enroll(auth, adapter, proof, second)
    }
  })
}
