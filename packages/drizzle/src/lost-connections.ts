interface PgPool {
  on(event: "acquire", listen: (client: object) => void): unknown
}

const known = new WeakSet<object>()

/**
 * Keeps the process running when a connection of `pg` ends between two queries of a transaction. The connection then emits
 * `error`, and Drizzle doesn't listen. The next query rejects, so nothing is lost.
 */
export function surviveLostConnections(db: object): void {
  const pool: unknown = Reflect.get(db, "$client")
  if (!isPgPool(pool) || known.has(pool)) return
  known.add(pool)
  pool.on("acquire", (client) => {
    if (known.has(client)) return
    known.add(client)
    const on: unknown = Reflect.get(client, "on")
    if (typeof on === "function") Reflect.apply(on, client, ["error", () => undefined])
  })
}

/** The `Pool` of `pg` and of the Neon driver. */
function isPgPool(value: unknown): value is PgPool {
  return typeof Reflect.get(Object(value), "on") === "function" && "totalCount" in Object(value)
}
