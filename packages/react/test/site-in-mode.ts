import credentials from "@latchkey/core/providers/credentials"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Mode } from "../../../tests/attack.js"
import { openSite, type Site } from "./site.js"

/** A site with stored users, which `"strict"` requires. Its pages send no requests on load. */
export async function siteIn(mode: Mode): Promise<Site> {
  const adapter = memoryAdapter()
  const password = credentials({
    credentials: { name: {}, password: {} },
    async authorize({ name, password }) {
      if (password !== "open sesame") return null
      const email = `${String(name)}@users.test`
      const known = await adapter.getUserByEmail(email)
      return known ?? adapter.createUser({ id: `id-${String(name)}`, name: String(name), email, emailVerified: null })
    },
  })
  const site = await openSite({ mode, config: { adapter, providers: [password], session: { strategy: "jwt" } } })
  site.setup = { props: { session: null } }
  return site
}
