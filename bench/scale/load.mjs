import pg from "pg"
import { postgresAdapter } from "./peers.mjs"
import { schemaOf, usersFor } from "./rows.mjs"

/** Rows per transaction. */
const chunk = 200_000

const uuid = (name, number) => `md5('${name}-' || ${number})::uuid::text`
const user = "1 + n % $3::bigint"
/** Between 1 and 30 days from now. */
const valid = "now() + interval '1 day' + (n % 41760) * interval '1 minute'"

/** As the engine writes it for a browser. */
const details =
  "jsonb_build_object('createdAt', 1767225600000 + n, 'lastUsedAt', 1767225600000 + n, 'browser', 'Firefox', 'system', 'Windows')"

/** The tables that `@auth/pg-adapter` documents, without the column types that its own table of accounts has. */
const authTables = `
  create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text);
  create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text);
  create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null);
  create table verification_token (identifier text, expires timestamptz not null, token text, primary key (identifier, token));`

const layouts = {
  own: {
    users: `insert into users (id, email, name, image, extra)
      select ${uuid("user", "n")}, 'user-' || n || '@example.test', 'User ' || n, 'https://avatars.example/' || n, '{}'
      from generate_series($1::bigint, $2::bigint) n where $3::bigint > 0`,
    sessions: `insert into sessions (session_token, user_id, expires, extra, details)
      select ${uuid("session", "n")}, ${uuid("user", `(${user})`)}, ${valid}, '{}', ${details}
      from generate_series($1::bigint, $2::bigint) n`,
  },
  auth: {
    users: `insert into users (id, email, name, image)
      select n, 'user-' || n || '@example.test', 'User ' || n, 'https://avatars.example/' || n
      from generate_series($1::bigint, $2::bigint) n where $3::bigint > 0`,
    sessions: `insert into sessions ("sessionToken", "userId", expires)
      select ${uuid("session", "n")}, ${user}, ${valid} from generate_series($1::bigint, $2::bigint) n`,
  },
}

/** Creates the tables and rows that a schema doesn't have yet. @param {"own" | "auth"} layout */
export async function load(url, layout, sessions, say) {
  const schema = schemaOf(layout, sessions)
  await withClient(url, schema, async (client) => {
    await createTables(client, url, layout, schema)
    const users = usersFor(sessions)
    await fill(client, { table: "users", rows: users, users, insert: layouts[layout].users, say, schema })
    await fill(client, { table: "sessions", rows: sessions, users, insert: layouts[layout].sessions, say, schema })
  })
}

export async function withClient(url, schema, work) {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function createTables(client, url, layout, schema) {
  await client.query(`create schema if not exists ${schema}`)
  if (layout === "auth") {
    const { rows } = await client.query("select to_regclass('users') is not null as found")
    return void (rows[0].found || (await client.query(authTables)))
  }
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path=${schema}` })
  const adapter = await postgresAdapter({ pool })
  await adapter.migrate()
  await adapter.close()
}

/** Continues after an interruption, because each chunk is a transaction. */
async function fill(client, { table, rows, users, insert, say, schema }) {
  const { rows: counted } = await client.query(`select count(*)::int as count from ${table}`)
  let done = counted[0].count
  if (done >= rows) return
  for (; done < rows; done += chunk) {
    await client.query(insert, [done + 1, Math.min(rows, done + chunk), users])
    say(`${schema}.${table}: ${Math.min(rows, done + chunk)} rows\n`)
  }
  await client.query(`vacuum analyze ${table}`)
}

/** Sessions of which `expired` have expired and a fifth as many haven't. */
export async function loadExpired(url, expired, say) {
  const schema = "sweep"
  const rows = expired + expired / 5
  await withClient(url, schema, async (client) => {
    await createTables(client, url, "own", schema)
    const users = usersFor(rows)
    await fill(client, { table: "users", rows: users, users, insert: layouts.own.users, say, schema })
    const { rows: counted } = await client.query("select count(*)::int as count from sessions")
    if (counted[0].count !== rows) await client.query("truncate sessions")
    // Every sixth session is valid, so each page of the table has both kinds.
    const mixed = layouts.own.sessions.replace(
      valid,
      `case when n % 6 = 0 then ${valid} else now() - interval '1 hour' end`,
    )
    await fill(client, { table: "sessions", rows, users, insert: mixed, say, schema })
  })
}
