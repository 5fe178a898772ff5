import { createHash } from "node:crypto"

// The rows are numbered. Tokens and ids follow from the number, so that a reader can compute a token of any row. As hashes,
// they're spread over the index like random ones.

/** Sessions per user. */
export const perUser = 5

const uuidOf = (text) =>
  createHash("md5")
    .update(text)
    .digest("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5")

/** From 1. */
export const tokenOf = (session) => uuidOf(`session-${session}`)
export const userOf = (session, users) => 1 + (session % users)
export const userIdOf = (user) => uuidOf(`user-${user}`)
export const emailOf = (user) => `user-${user}@example.test`

export const usersFor = (sessions) => Math.max(1, sessions / perUser)

/** The name of a schema, such as `own_10000`. */
export const schemaOf = (layout, sessions) => `${layout}_${sessions}`

export const shown = (count) =>
  count >= 1e6 ? `${count / 1e6} million` : count >= 1e3 ? `${count / 1e3} thousand` : `${count}`
