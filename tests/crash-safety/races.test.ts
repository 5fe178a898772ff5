// Two processes finish their sign-ins at the same moment, over a real database.
import { afterAll, describe, expect, inject, test } from "vitest"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { newDatabase, newMysqlDatabase } from "../../packages/sql/test/databases.js"
import { emailOf } from "./flows.js"
import { racers } from "./racers.js"

interface Race {
  readonly flows: readonly [string, string]
  /** How many of the two sign in. */
  readonly signIn: readonly number[]
  readonly rounds: number
}

const [first, second, link] = ["a first sign-in", "a first sign-in with another provider", "an email link"] as const

const races: readonly Race[] = [
  { flows: [first, first], signIn: [2], rounds: 60 },
  { flows: [link, link], signIn: [2], rounds: 10 },
  { flows: [first, second], signIn: [1], rounds: 10 },
  // The second of them is refused unless it's the link.
  { flows: [first, link], signIn: [1, 2], rounds: 10 },
  { flows: ["a passkey sign-up", link], signIn: [1, 2], rounds: 10 },
]

const databases = [
  { kind: "PostgreSQL", needs: "postgres", create: newDatabase, open: postgres },
  { kind: "MariaDB", needs: "mariadb", create: newMysqlDatabase, open: mysql },
] as const

for (const { kind, needs, create, open } of databases)
  describe.skipIf(inject(needs) === undefined)(`two processes over ${kind}`, async () => {
    const url = inject(needs) === undefined ? "" : await create("races")
    const store = open(url)
    await store.migrate()
    const pair = racers(kind, url)

    afterAll(async () => {
      pair.stop()
      await store.close()
    })

    for (const [at, { flows, signIn, rounds }] of races.entries())
      test(`${flows[0]} and ${flows[1]} at once make one user`, async () => {
        for (let round = 0; round < rounds; round++) {
          const as = `user-${at}-${round}`
          const results = await pair.race(flows, as)
          const signedIn = results.filter(({ who }) => who === emailOf(as))
          expect(signIn, JSON.stringify(results)).toContain(signedIn.length)
        }
      })
  })
