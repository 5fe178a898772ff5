import { allCapabilities, type Capability, testAdapter } from "@latchkey/adapter-kit"
import { prisma } from "@latchkey/prisma"
import { describe, inject, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "./clients.js"

interface Options {
  readonly without?: readonly Capability[]
  readonly skip?: readonly string[]
}

function conforms(name: string, open: () => Promise<Client>, { without = [], skip = [] }: Options = {}): void {
  const capabilities = allCapabilities.filter((capability) => !without.includes(capability))
  const create = async () => prisma(await open())
  testAdapter({ name, create, capabilities, webauthn: true, skip }, { describe, test })
}

/**
 * The documented schema of `@auth/prisma-adapter` has no model or field for these, and its counters of passkeys have 31 bits. An update
 * changes its `updatedAt`, which `users.update` doesn't expect; published.test.ts has that case.
 */
const published: Options = {
  without: ["records", "describeSession", "describeAuthenticator", "extraFields"],
  skip: ["authenticators.limits", "users.update"],
}

conforms("SQLite", () => overSqlite("latchkey"), { without: ["transaction", "records"] })
conforms("SQLite with the schema of @auth/prisma-adapter", () => overSqlite("published"), {
  ...published,
  without: ["transaction", ...(published.without ?? [])],
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  conforms("PostgreSQL", () => overPg("prisma_pg", "latchkey"))
  conforms(
    "PostgreSQL with the schema of @auth/prisma-adapter",
    () => overPg("prisma_published", "published"),
    published,
  )
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  // The id of a passkey can have 255 characters, because it's part of a key.
  conforms("MariaDB", () => overMariadb("prisma_mysql", "latchkey"), { skip: ["authenticators.limits"] })
  conforms(
    "MariaDB with the schema of @auth/prisma-adapter",
    () => overMariadb("prisma_published", "published"),
    published,
  )
})
