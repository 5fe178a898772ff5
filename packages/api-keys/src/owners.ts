import type { AdapterUser } from "@latchkey/core/adapters"
import type { Background } from "./context.js"
import { rightsOf, type Settings } from "./options.js"

export interface KeyOwner {
  readonly user: AdapterUser
  /** The scopes that the owner may use now. */
  readonly rights: readonly string[]
}

/** The owner of a key as they are now. `null`: they were deleted, or are disabled. */
export async function ownerOf(settings: Settings, { users }: Background, userId: string): Promise<KeyOwner | null> {
  const [user, isDisabled] = await Promise.all([users.byId(userId), users.isDisabled(userId)])
  const rights = user === null || isDisabled ? null : await rightsOf(settings, user)
  return user === null || rights === null ? null : { user, rights }
}
