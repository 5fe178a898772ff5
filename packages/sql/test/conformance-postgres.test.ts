import { PGlite } from "@electric-sql/pglite"
import { sqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { PostgresDialect } from "kysely"
import pg from "pg"
import postgresJs from "postgres"
import { afterAll, describe, inject } from "vitest"
import { conforms } from "./conforms.js"
import { newDatabase } from "./databases.js"
import { neonPool } from "./neon.js"

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  conforms("PostgreSQL", async () => postgres(await newDatabase("conformance")))
  conforms("PostgreSQL, without prepared statements, with a pool and a prefix", async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase("conformance_pool") })
    return postgres({ pool, prepare: false, prefix: "auth_" })
  })
  conforms("PostgreSQL through Kysely's own dialect", async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase("conformance_dialect") })
    return sqlAdapter(new PostgresDialect({ pool }))
  })
  conforms("PostgreSQL through postgres.js", async () => {
    const pool = postgresJs(await newDatabase("conformance_postgres_js"), { onnotice: () => {} })
    return postgres({ pool })
  })
  conforms("PostgreSQL through postgres.js with one connection, a prefix and camel case", async () => {
    const url = await newDatabase("conformance_postgres_camel")
    const pool = postgresJs(url, { max: 1, prepare: false, transform: postgresJs.camel, onnotice: () => {} })
    return postgres({ pool, prefix: "auth_" })
  })
  conforms("PostgreSQL through the Neon driver", async () => {
    const stops: (() => void)[] = []
    afterAll(() => {
      for (const stop of stops) stop()
    })
    return postgres({ pool: await neonPool(await newDatabase("conformance_neon"), (stop) => stops.push(stop)) })
  })
})

conforms("PGlite", () => postgres({ pool: new PGlite() }))
