import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { AdapterError } from "@latchkey/core/errors"
import Passkey from "@latchkey/core/providers/passkey"
import { createAuthenticator, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { secret } from "../../http/app.js"

/** A transaction would bring the original methods. */
function withoutTransaction(): Adapter {
  const { transaction: _, ...methods } = memoryAdapter()
  return methods
}

const refuse = (): never => {
  throw new Error("no such table or column")
}

test("a database without a table of verification tokens stores passkeys", async () => {
  await signUpAndIn({ ...withoutTransaction(), createVerificationToken: refuse, useVerificationToken: refuse })
})

test("an adapter without the methods for verification tokens stores passkeys", async () => {
  const { createVerificationToken: _, useVerificationToken: __, ...methods } = withoutTransaction()
  await signUpAndIn(methods)
})

test("a database without the column `session_state` of accounts stores passkeys", async () => {
  const memory = withoutTransaction()
  const linkAccount: Adapter["linkAccount"] = (account) =>
    "session_state" in account ? refuse() : memory.linkAccount?.(account)
  await signUpAndIn({ ...memory, linkAccount })
})

async function signUpAndIn(adapter: Adapter): Promise<void> {
  const authenticator = createAuthenticator()
  const browser = await visit({
    secret,
    trustHost: true,
    adapter,
    providers: [Passkey()],
    experimental: { enableWebAuthn: true },
  })
  await browser.registerPasskey(authenticator, { fields: { email: "ada@example.test" } })
  await browser.signOut()
  await browser.signInWithPasskey(authenticator)
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
}

class DatabaseError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Like PostgreSQL: after an error, every statement of the transaction fails. After a conflict, the transaction runs again. */
function conflictingOnce(): Adapter {
  const memory = memoryAdapter()
  let conflicts = 1
  const isConflict = (error: unknown): boolean =>
    error instanceof DatabaseError
      ? error.code === "40001"
      : error instanceof AdapterError && isConflict(error.cause?.err)
  const attempt = <T>(work: (inside: Adapter) => Promise<T>): Promise<T> =>
    memory.transaction(async (inside) => {
      let isAborted = false
      const linkAccount: Adapter["linkAccount"] = (account) => {
        if (isAborted) throw new DatabaseError("25P02", "current transaction is aborted, commands are ignored")
        isAborted = conflicts-- > 0
        if (isAborted)
          throw new DatabaseError("40001", "insert into accounts (session_state): could not serialize access")
        return inside.linkAccount?.(account)
      }
      return work({ ...inside, linkAccount })
    })
  return {
    ...memory,
    async transaction(work) {
      try {
        return await attempt(work)
      } catch (error) {
        if (!isConflict(error)) throw error
        return attempt(work)
      }
    },
  }
}

test("a passkey is stored although the first transaction conflicts with another one", async () => {
  await signUpAndIn(conflictingOnce())
})
