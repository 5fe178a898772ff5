import { read } from "./reads.mjs"
import { withClient } from "./load.mjs"
import { schemaOf } from "./rows.mjs"

/** Bytes of each table and index. */
export function sizesOf(url, layout, sessions) {
  const schema = schemaOf(layout, sessions)
  return withClient(url, schema, async (client) => {
    const { rows } = await client.query(
      `select c.relname as table, pg_table_size(c.oid)::float8 as bytes, pg_indexes_size(c.oid)::float8 as "indexBytes",
        coalesce((select json_object_agg(i.indexrelid::regclass::text, pg_relation_size(i.indexrelid)) from pg_index i where i.indrelid = c.oid), '{}') as indexes
       from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname in ('users', 'sessions') order by 1 desc`,
      [schema],
    )
    return rows
  })
}

/** Pages of 8 kB that one read touches, in tables and indexes. It doesn't depend on other load. */
export async function pagesPerRead(peer, world) {
  const count = 500
  const before = await pages(world.postgres)
  const { adapter, close } = await peer.open({ ...world, connections: 1 })
  for (let done = 0; done < count; done++) {
    const number = 1 + Math.floor(Math.random() * world.sessions)
    await read(adapter, number, world.sessions)
  }
  await close()
  return ((await pages(world.postgres)) - before) / count
}

/** The server counts the pages of a connection when it ends. Pages of the system catalog aren't included. */
async function pages(url) {
  return withClient(url, "public", async (client) => {
    for (let left = 200; ; left--) {
      const { rows } = await client.query(
        "select count(*)::int as others from pg_stat_activity where backend_type in ('client backend', 'autovacuum worker') and pid <> pg_backend_pid()",
      )
      if (rows[0].others === 0 || left === 0) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { rows } = await client.query(
      "select coalesce(sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit), 0)::float8 as total from pg_statio_user_tables",
    )
    return rows[0].total
  })
}

/** Reads tables and indexes into memory, as after a while of use. */
export async function warm(url, schema) {
  await withClient(url, schema, async (client) => {
    await client.query("create extension if not exists pg_prewarm with schema public")
    await client.query(
      "select public.pg_prewarm(c.oid) from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'i')",
      [schema],
    )
  })
}
