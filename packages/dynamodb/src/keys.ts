/** The primary key of an item. */
export interface Key {
  readonly pk: string
  readonly sk: string
}

/** DynamoDB allows 1024 bytes in a sort key. This leaves room for a prefix. */
const maxBytes = 1000

/** Ids of credentials have up to 1023 bytes (WebAuthn §4), which are 1364 characters of base64. */
const maxCredentialBytes = 1364

/** DynamoDB allows 2048 bytes in a partition key. */
const maxPartitionBytes = 2048

/** This leaves room for a prefix and a hash in a sort key. */
const maxProviderBytes = 900

/** Otherwise the text can't be part of a key, so there is no item with it. */
export function isStorable(...parts: readonly unknown[]): boolean {
  return hasAtMost(maxBytes, parts)
}

export function isStorableCredential(credentialID: unknown): boolean {
  return hasAtMost(maxCredentialBytes, [credentialID])
}

/** The account of a passkey has its id. A long id is hashed for the sort key, but not for the partition key of its pointer. */
export function isStorableAccount(provider: unknown, providerAccountId: unknown): boolean {
  if (!hasAtMost(maxProviderBytes, [provider]) || !isStorableCredential(providerAccountId)) return false
  return hasAtMost(maxPartitionBytes, [accountPointer(String(provider), String(providerAccountId)).pk])
}

export function assertStorableAccount(provider: unknown, providerAccountId: unknown): void {
  if (!isStorableAccount(provider, providerAccountId)) throw unstorable(maxCredentialBytes)
}

export function assertStorable(...parts: readonly unknown[]): void {
  if (!isStorable(...parts)) throw unstorable(maxBytes)
}

export function assertStorableCredential(credentialID: unknown): void {
  if (!isStorableCredential(credentialID)) throw unstorable(maxCredentialBytes)
}

function hasAtMost(bytes: number, parts: readonly unknown[]): boolean {
  if (!parts.every((part) => typeof part === "string" && !/\p{Surrogate}/u.test(part))) return false
  return new TextEncoder().encode(parts.join("#")).length <= bytes
}

function unstorable(bytes: number): TypeError {
  return new TypeError(
    `An id, email or token isn't a string, is longer than ${bytes} bytes or contains a lone surrogate. Pass another one.`,
  )
}

// The keys of `@auth/dynamodb-adapter`.

export function userKey(id: string): Key {
  return { pk: `USER#${id}`, sk: `USER#${id}` }
}

export function accountKey(userId: string, provider: string, providerAccountId: string): Key {
  return { pk: `USER#${userId}`, sk: `ACCOUNT#${provider}#${providerAccountId}` }
}

export function sessionKey(userId: string, sessionToken: string): Key {
  return { pk: `USER#${userId}`, sk: `SESSION#${sessionToken}` }
}

export function tokenKey(identifier: string, token: string): Key {
  return { pk: `VT#${identifier}`, sk: `VT#${token}` }
}

export function authenticatorKey(userId: string, shortId: string): Key {
  return { pk: `USER#${userId}`, sk: `AUTHENTICATOR#${shortId}` }
}

// The keys of records and of their names, which only this adapter has. A kind has no `#`.

export function recordKey(kind: string, key: string): Key {
  return { pk: `RECORD#${kind}#${key}`, sk: "RECORD" }
}

export function recordIndexKey(
  field: string,
  value: string,
  name: { readonly kind: string; readonly key: string },
): Key {
  return { pk: `RECORDS#${field}#${value}`, sk: `${name.kind}#${name.key}` }
}

/** An id that fits into a sort key. */
export async function shorten(credentialID: string): Promise<string> {
  return isStorable(credentialID) ? credentialID : hashed(credentialID)
}

export async function hashed(id: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))
  return `sha256:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

// The keys of pointers, which only this adapter has: they lead to the user of an email, account, session or passkey.

export function emailPointer(email: string): Key {
  return { pk: `EMAIL#${email}`, sk: "OWNER" }
}

export function accountPointer(provider: string, providerAccountId: string): Key {
  return { pk: `ACCOUNT#${JSON.stringify([provider, providerAccountId])}`, sk: "OWNER" }
}

export function sessionPointer(sessionToken: string): Key {
  return { pk: `SESSION#${sessionToken}`, sk: "OWNER" }
}

export function authenticatorPointer(credentialID: string): Key {
  return { pk: `AUTHENTICATOR#${credentialID}`, sk: "OWNER" }
}
