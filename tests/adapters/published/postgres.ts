import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter } from "@auth/kysely-adapter"
import { defaultEntities, MikroOrmAdapter } from "@auth/mikro-orm-adapter"
import NeonAdapter from "@auth/neon-adapter"
import PostgresAdapter from "@auth/pg-adapter"
import SequelizeAdapter from "@auth/sequelize-adapter"
import { TypeORMAdapter } from "@auth/typeorm-adapter"
import { MikroORM } from "@mikro-orm/core"
import { PostgreSqlDriver } from "@mikro-orm/postgresql"
import { Pool as NeonPool } from "@neondatabase/serverless"
import { drizzle } from "drizzle-orm/node-postgres"
import { Kysely, PostgresDialect } from "kysely"
import pg from "pg"
import { Sequelize } from "sequelize"
import { drizzlePg, kyselyPg, pgTables } from "../../interop/schemas.js"
import { neonBridge } from "../bridges/neon.js"
import { newDatabase, run } from "./databases.js"
import { adapterOf, type Opened, type Entry } from "./published.js"

const postgres = { database: "PostgreSQL", needs: "postgres" } as const

export const overPostgres: readonly Entry[] = [
  {
    name: "@auth/pg-adapter",
    ...postgres,
    open: (route) => overPool(route, pgTables, (pool) => PostgresAdapter(pool)),
  },
  { name: "@auth/neon-adapter", ...postgres, open: openNeon },
  {
    name: "@auth/kysely-adapter",
    ...postgres,
    open: (route) =>
      overPool(route, kyselyPg, (pool) => KyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }))),
  },
  {
    name: "@auth/drizzle-adapter",
    ...postgres,
    open: (route) => overPool(route, drizzlePg, (pool) => DrizzleAdapter(drizzle(pool))),
  },
  { name: "@auth/mikro-orm-adapter", ...postgres, breaks: false, precision: "seconds", open: openMikroOrm },
  { name: "@auth/typeorm-adapter", ...postgres, breaks: false, open: openTypeorm },
  { name: "@auth/sequelize-adapter", ...postgres, breaks: false, open: openSequelize },
]

type Route = Parameters<Entry["open"]>[0]

async function overPool(route: Route, tables: string, make: (pool: pg.Pool) => unknown): Promise<Opened> {
  const url = await newDatabase()
  await run(url, tables)
  const pool = new pg.Pool({ connectionString: route(url) })
  // Without listeners, a lost connection ends the process, with Kysely also in the middle of a call.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  return { adapter: adapterOf(make(pool)), close: () => pool.end() }
}

async function openNeon(route: Route): Promise<Opened> {
  const url = await newDatabase()
  await run(url, pgTables)
  const bridge = await neonBridge()
  const pool = new NeonPool({ connectionString: route(url) })
  pool.on("error", () => {})
  const close = async (): Promise<void> => {
    await pool.end()
    await bridge.close()
  }
  return { adapter: adapterOf(NeonAdapter(pool)), close }
}

async function openTypeorm(): Promise<Opened> {
  const adapter = TypeORMAdapter({ type: "postgres", url: await newDatabase(), driver: pg, synchronize: true })
  // The first call connects and creates the tables, which parallel calls don't wait for.
  await adapter.getUserByEmail?.("")
  return { adapter: adapterOf(adapter), close: () => disconnect(adapter) }
}

async function openMikroOrm(): Promise<Opened> {
  const options = { clientUrl: await newDatabase(), driver: PostgreSqlDriver }
  const orm = await MikroORM.init({ ...options, entities: Object.values(defaultEntities) })
  await orm.getSchemaGenerator().createSchema()
  await orm.close()
  const adapter = MikroOrmAdapter(options)
  return { adapter: adapterOf(adapter), close: () => disconnect(adapter) }
}

async function openSequelize(): Promise<Opened> {
  const client = new Sequelize(await newDatabase(), { dialect: "postgres", dialectModule: pg, logging: false })
  const adapter = SequelizeAdapter(client)
  // The adapter creates all tables at once, although some refer to others.
  for (const name of ["user", "account", "session", "verificationToken"]) await client.model(name).sync()
  return { adapter: adapterOf(adapter), close: () => client.close() }
}

/** The method that two adapters have for tests. */
async function disconnect(adapter: object): Promise<void> {
  const method: unknown = Reflect.get(adapter, "__disconnect")
  if (typeof method === "function") await Reflect.apply(method, adapter, [])
}
