import type { Account, Awaitable, User } from "./model.js"

export interface AdapterUser extends User {
  id: string
  email: string
  emailVerified: Date | null
}

export interface AdapterAccount extends Account {
  userId: string
}

export interface AdapterSession {
  sessionToken: string
  userId: string
  expires: Date
}

export interface VerificationToken {
  identifier: string
  expires: Date
  token: string
}

type AccountKeys = Pick<AdapterAccount, "provider" | "providerAccountId">

/**
 * Stores users, accounts and sessions. Adapters of next-auth 4 (`@next-auth/…-adapter`) and of Auth.js (`@auth/…-adapter`)
 * have this type. Its members are methods, so that both fit whatever the types of their arguments are.
 */
export interface Adapter {
  createUser?(user: Omit<AdapterUser, "id">): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(account: AccountKeys): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  deleteUser?(userId: string): Awaitable<unknown>
  linkAccount?(account: AdapterAccount): Awaitable<unknown>
  unlinkAccount?(account: AccountKeys): Awaitable<unknown>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Awaitable<unknown>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
}
