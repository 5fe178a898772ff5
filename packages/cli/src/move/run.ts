import type { AuthConfig } from "@latchkey/core"
import { allProviders } from "../catalogue.js"
import { close, configurationIn } from "../db/configuration.js"
import type { MoveOrder, Result, Source } from "../db/job.js"
import { Failure } from "../failure.js"
import { readBetterAuth } from "./better-auth.js"
import type { Former } from "./former.js"
import { readLucia } from "./lucia.js"
import { openTables } from "./tables.js"
import { move } from "./write.js"

/** Moves what another library stored into the database of the configuration. @throws Failure */
export async function runMove(source: Source, order: MoveOrder, onLoad: () => void): Promise<Result> {
  const config = await configurationIn(source)
  onLoad()
  try {
    if (order.movesSessions) assertTakesSessions(config)
    const former = await read(source.root, order)
    const { isDryRun, movesSessions, providers } = order
    return { kind: "moved", ...(await move(config, former, { isDryRun, movesSessions, providers, typeOf })) }
  } finally {
    await close(config.adapter)
  }
}

async function read(root: string, { from, library, lucia }: MoveOrder): Promise<Former> {
  const tables = await openTables(root, from)
  try {
    return library === "lucia" ? await readLucia(tables, lucia) : await readBetterAuth(tables, process.env)
  } finally {
    await tables.close()
  }
}

/** The browser has the cookie of the other library, whose value becomes the token of a stored session. */
function assertTakesSessions({ session, cookies }: AuthConfig): void {
  if (session?.strategy === "jwt")
    throw new Failure(
      'Sessions can only go on with `session: { strategy: "database" }`. Set it, or leave out --sessions.',
    )
  if (cookies?.sessionToken?.name === undefined)
    throw new Failure(
      "Sessions can only go on under the cookie that browsers have. Set `cookies.sessionToken.name` to its name, or leave out --sessions.",
    )
}

function typeOf(provider: string): "oauth" | "oidc" {
  return allProviders().find(({ id }) => id === provider)?.type === "oidc" ? "oidc" : "oauth"
}
