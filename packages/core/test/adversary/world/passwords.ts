import credentials from "@latchkey/core/providers/credentials"
import type { Provider, User } from "@latchkey/core/types"
import { count } from "./costs.js"
import { emailOf, failingPassword, type Name, names, passwordOf } from "./names.js"
import type { Store } from "./store.js"

interface Context {
  readonly store: Store | undefined
  /** Called with the name for which a password was wrong. */
  guessed(name: string): void
}

/** Passwords, compared as a database with a collation that ignores case and accents compares names. */
export function passwords({ guessed, store }: Context): Provider {
  return credentials({
    id: "password",
    credentials: { username: {}, password: { type: "password" } },
    async authorize({ username, password }) {
      count("authorizeCalls")
      // The suite counts the engine's work. No user has a longer name.
      const plain = String(username)
        .slice(0, 100)
        .normalize("NFKD")
        .replace(/[\p{M}\s]/gu, "")
        .toLowerCase()
      const name = names.find((one) => one === plain)
      if (password === failingPassword) throw new Error(`The directory refused ${plain} with ${failingPassword}`)
      if (name === undefined || password !== passwordOf(name)) {
        guessed(plain)
        return null
      }
      return await userOf(name, store)
    },
  })
}

/** The application has a row for each user with a password, if it has a database. It trusts no unproven email. */
async function userOf(name: Name, store: Store | undefined): Promise<User | null> {
  const user = { id: `password-${name}`, name, email: emailOf(name), emailVerified: null }
  if (store === undefined) return user
  const { getUser, getUserByEmail, createUser } = store.base
  const known = (await getUser?.(user.id)) ?? (await getUserByEmail?.(user.email))
  if (!known) return (await createUser?.(user)) ?? user
  return known.id === user.id || known.emailVerified !== null ? known : null
}
