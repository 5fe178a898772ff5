import { runConfiguration } from "../doctor/configuration.js"
import { type Recorder, recorderFor } from "../doctor/recorder.js"
import { Failure } from "../failure.js"
import { entryOf } from "./entries.js"
import type { Source } from "./job.js"

export interface Opened {
  readonly adapter: object
  /** The file of the database, if it doesn't exist yet. */
  readonly newDatabase: string | undefined
}

/**
 * Creates the adapter, without connecting to its database.
 *
 * @param createsFiles whether it may create the file of a database
 * @throws Failure if there is no adapter
 */
export async function open(source: Source, createsFiles: boolean): Promise<Opened> {
  const recorder = await recorderFor(source.root, { createsFiles, hasTimeouts: false })
  const adapter =
    source.kind === "url" ? adapterOf(source, recorder) : (await runConfiguration(source, recorder))?.adapter
  if (typeof adapter === "object" && adapter !== null) return { adapter, newDatabase: recorder.newDatabases[0] }
  const file = source.kind === "url" ? "The URL" : source.shown
  throw new Failure(
    `${file} has no adapter. Add one to the configuration, such as \`adapter: sqlite("app.db")\`, or pass --url.`,
  )
}

function adapterOf({ url, prefix, layout }: Source & { readonly kind: "url" }, { modules }: Recorder): unknown {
  const { entry, name, location } = entryOf(url)
  const make = modules[entry]?.[name]
  if (typeof make !== "function")
    throw new Failure(
      `${entry} isn't installed in this application. Install a current version of @latchkey/sql, or leave out --url to use the adapter in the configuration.`,
    )
  const options = { ...(prefix !== undefined && { prefix }), ...(layout !== undefined && { layout }) }
  const takesOptionsOnly = name === "postgres" || name === "mysql"
  return takesOptionsOnly
    ? Reflect.apply(make, undefined, [{ connectionString: location, ...options }])
    : Reflect.apply(make, undefined, [location, options])
}
