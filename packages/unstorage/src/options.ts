/** Options of {@link unstorage}. They are the same as in `@auth/unstorage-adapter`. */
export interface UnstorageAdapterOptions {
  /** Prefix of all keys, before the other prefixes. @default "" */
  baseKeyPrefix?: string
  /** @default "user:account:" */
  accountKeyPrefix?: string
  /** @default "user:account:by-user-id:" */
  accountByUserIdPrefix?: string
  /** @default "user:email:" */
  emailKeyPrefix?: string
  /** @default "user:session:" */
  sessionKeyPrefix?: string
  /** @default "user:session:by-user-id:" */
  sessionByUserIdKeyPrefix?: string
  /** @default "user:" */
  userKeyPrefix?: string
  /** @default "user:token:" */
  verificationTokenKeyPrefix?: string
  /** @default "authenticator:" */
  authenticatorKeyPrefix?: string
  /** @default "authenticator:by-user-id:" */
  authenticatorUserKeyPrefix?: string
  /** Uses `getItemRaw` and `setItemRaw`, which keep objects as they are in some drivers. @default false */
  useItemRaw?: boolean
}
