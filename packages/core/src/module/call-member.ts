import { InvalidConfig } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import { moduleContext } from "./context.js"
import { installed } from "./installed.js"

/** Calls a function that `server` of a module returns. */
export async function callMember(
  auth: AuthContext,
  id: string,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const own = (await installed(auth)).find(({ module }) => module.id === id)
  const server = own?.parts.server?.(moduleContext(auth, own, "application"))
  const found: unknown = server === undefined ? undefined : Reflect.get(server, name)
  if (typeof found !== "function") throw new InvalidConfig(`modules: ${id}: \`server\` returns no function \`${name}\``)
  return Reflect.apply(found, server, args) as unknown
}
