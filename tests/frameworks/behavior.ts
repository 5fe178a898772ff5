import type { Visit } from "../browser/chromium.js"
import type { Env, Site } from "./site.js"

/** Something that an application does with every framework. */
export interface Behavior<Id extends string = string> {
  readonly id: Id
  readonly title: string
  /**
   * `http`: every framework has it. `below`: frameworks with a base path, in another build. `pages` and `client` run in Chromium, for
   * frameworks with pages or a client.
   */
  readonly needs: "http" | "below" | "pages" | "client"
  /** Variables of the server. Behaviors with the same variables share one. @default none */
  readonly env?: Env
  run(site: Site, visit: Visit): Promise<void>
}

/** Keeps the type of the id. */
export function behavior<const Id extends string>(given: Behavior<Id>): Behavior<Id> {
  return given
}
