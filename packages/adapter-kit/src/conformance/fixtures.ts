import type { AdapterAccount, AdapterAuthenticator, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import type { Surroundings } from "./case.js"

/** Unique values let the cases run in a database with other data. */
export function unique(): string {
  return crypto.randomUUID().replaceAll("-", "")
}

export function aUser(surroundings: Surroundings, fields: Partial<AdapterUser> = {}): AdapterUser {
  return {
    id: surroundings.newId(),
    name: "Ada Lovelace",
    email: `ada.${unique()}@example.com`,
    image: "https://example.com/ada.png",
    emailVerified: null,
    ...fields,
  }
}

export function anAccount(userId: string, fields: Partial<AdapterAccount> = {}): AdapterAccount {
  return {
    userId,
    type: "oidc",
    provider: "acme",
    providerAccountId: unique(),
    access_token: "access-token",
    refresh_token: "refresh-token",
    id_token: "id-token",
    expires_at: 1_900_000_000,
    token_type: "bearer",
    scope: "openid email",
    session_state: "session-state",
    ...fields,
  }
}

export function anAuthenticator(userId: string, fields: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  return {
    credentialID: btoa(unique()),
    userId,
    providerAccountId: unique(),
    credentialPublicKey: btoa(unique()),
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal,hybrid",
    ...fields,
  }
}

/** A date that reveals lost milliseconds and a swapped day and month. */
export function instant({ precision }: Surroundings, year = 2031): Date {
  return new Date(Date.UTC(year, 1, 3, 14, 15, 16, precision === "milliseconds" ? 789 : 0))
}

/** What a case needs that deletes a user with an account and a session. */
export const deletionMethods = [
  "createUser",
  "deleteUser",
  "getUserByEmail",
  "linkAccount",
  "getUserByAccount",
  "createSession",
  "getSessionAndUser",
] as const

// These return only the keys, because some adapters pass the object to a query that rejects other fields.

export function accountKey({
  provider,
  providerAccountId,
}: AdapterAccount): Pick<AdapterAccount, "provider" | "providerAccountId"> {
  return { provider, providerAccountId }
}

export function tokenKey({ identifier, token }: VerificationToken): Pick<VerificationToken, "identifier" | "token"> {
  return { identifier, token }
}
