import type { Database } from "./database.js"

/** What the role of the connection may not do with a table. */
export interface Denied {
  readonly name: string
  /** Such as `insert`. */
  readonly privileges: readonly string[]
  readonly role: string
}

interface DeniedRow {
  readonly name: string
  readonly privilege: string
  readonly role: string
}

/** The tables whose rows the role of the connection can't read, or can't change. The adapter only reads the list of migrations. */
export async function deniedTables({ db, flavor, names }: Database, tables: readonly string[]): Promise<Denied[]> {
  if (!flavor.denied) return []
  const { rows } = await flavor.denied([...tables, names.migrations]).execute(db)
  // The query of the flavor names its columns like the type.
  const denied = (rows as readonly DeniedRow[]).filter(
    ({ name, privilege }) => name !== names.migrations || privilege === "select",
  )
  return [...new Set(denied.map(({ name }) => name))].map((name) => {
    const of = denied.filter((row) => row.name === name)
    return { name, privileges: of.map(({ privilege }) => privilege), role: of[0]?.role ?? "" }
  })
}
