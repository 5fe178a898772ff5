import type { Commands } from "../client.js"
import { type Indexes, indexesIn } from "./indexes.js"
import type { Layout } from "./layout.js"
import { type Records, recordsIn } from "./records.js"

/** What the methods of the adapter are made of. */
export interface Store {
  readonly records: Records
  readonly indexes: Indexes
  readonly layout: Layout
}

export function storeOf(commands: Commands, layout: Layout): Store {
  return { records: recordsIn(commands), indexes: indexesIn(commands), layout }
}
