import type { TokenMethods, VerificationToken } from "@latchkey/core/adapters"
import { areaOf, isStorable } from "./keys.js"
import { fieldsOf, given } from "./rows.js"
import { type Found, findRow, insert, requirePlace, type Store } from "./store.js"

type TokenKey = Pick<VerificationToken, "identifier" | "token">

export function tokenMethods(store: Store): TokenMethods {
  const prefix = store.prefixes.verificationTokenKeyPrefix
  return {
    createVerificationToken: ({ identifier, token, expires }) =>
      store.lock([lockName({ identifier, token })], async () => {
        requirePlace(prefix, identifier, token)
        const found = await findToken(store, { identifier, token })
        const taken = "The token already exists for this identifier. Generate another."
        await insert(store, found.row ? {} : found, given({ identifier, token, expires }), taken)
        return { identifier, token, expires }
      }),
    useVerificationToken: async (params) => (await takeToken(store, params)) ?? null,
    getVerificationToken: async (params) => (await findToken(store, params)).row ?? null,
    deleteVerificationTokens: async (identifier) => {
      for await (const token of tokensFor(store, identifier)) {
        if (token.identifier === identifier) await takeToken(store, token)
      }
    },
  }
}

export function allTokens(store: Store): AsyncIterable<VerificationToken> {
  return tokensBelow(store, store.prefixes.verificationTokenKeyPrefix)
}

/** The tokens for an identifier, and a few others. */
async function* tokensFor(store: Store, identifier: string): AsyncIterable<VerificationToken> {
  if (!isStorable(identifier)) return
  const { prefixes, key } = areaOf(store.prefixes.verificationTokenKeyPrefix, identifier)
  for (const prefix of prefixes) yield* tokensBelow(store, prefix)
  const token = key === undefined ? undefined : tokenOf(await store.items.read(key))
  if (token !== undefined) yield token
}

async function* tokensBelow({ items }: Store, prefix: string): AsyncIterable<VerificationToken> {
  for await (const { value } of items.scan(prefix)) {
    const token = tokenOf(value)
    if (token !== undefined) yield token
  }
}

/** Deletes a token and returns it. Of several parallel calls, only one gets it. */
export function takeToken(store: Store, params: TokenKey): Promise<VerificationToken | undefined> {
  return store.lock([lockName(params)], async () => {
    const { key, row } = await findToken(store, params)
    return key !== undefined && row !== undefined && (await store.items.remove(key)) ? row : undefined
  })
}

async function findToken(store: Store, { identifier, token }: TokenKey): Promise<Found<VerificationToken>> {
  return findRow(store, [store.prefixes.verificationTokenKeyPrefix, identifier, token], (value) => {
    const row = tokenOf(value)
    return row?.identifier === identifier && row.token === token ? row : undefined
  })
}

function tokenOf(value: unknown): VerificationToken | undefined {
  const { identifier, token, expires } = fieldsOf(value) ?? {}
  if (typeof identifier !== "string" || typeof token !== "string") return undefined
  return { identifier, token, expires: new Date(String(expires)) }
}

function lockName({ identifier, token }: TokenKey): string {
  return `token ${JSON.stringify([identifier, token])}`
}
