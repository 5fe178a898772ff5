import { labels } from "#anonymous-labels"
import { records } from "#anonymous-records"
import { defineModule, type Module } from "@latchkey/core/module"
import type { AnonymousOptions, AnonymousServer } from "./options.js"

/**
 * Users without an email, who become accounts when they sign in or up with any other method. It needs an adapter with records, and
 * sessions in the database.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * import { anonymous } from "@latchkey/anonymous"
 * import type { AuthConfig } from "@latchkey/core"
 * import GitHub from "@latchkey/core/providers/github"
 * declare function moveCart(from: string, to: string): Promise<void>
 *
 * export const config: AuthConfig = {
 *   adapter: memoryAdapter(),
 *   session: { strategy: "database" },
 *   providers: [GitHub],
 *   modules: [anonymous({ onUpgrade: ({ anonymous, user }) => moveCart(anonymous.id, user.id) })],
 * }
 * ```
 */
export function anonymous(options: AnonymousOptions = {}): Module<"anonymous", AnonymousServer> {
  return defineModule<"anonymous", AnonymousServer, typeof records>({
    id: "anonymous",
    records,
    members: ["isAnonymous", "sweep"],
    // Under `"strict"`, a form has to declare a field.
    providers: [{ id: "anonymous", name: "Guest", buttonLabel: labels, fields: { guest: { type: "hidden" } } }],
    load: async () => (await import("#anonymous")).partsOf(options),
  })
}
