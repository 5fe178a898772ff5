// A process that takes part in races.
import { setTimeout } from "node:timers/promises"
import type { Adapter } from "@latchkey/core/adapters"
import type { Browser } from "@latchkey/testing"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { whoIs } from "../../packages/core/test/modes/setup.js"
import { type Finish, ofNewUser, type Process, processOver } from "./flows.js"
import type { Order, Result } from "./racers.js"
import { errorOf } from "./site.js"

const open: Readonly<Record<string, (url: string) => Adapter>> = { PostgreSQL: postgres, MariaDB: mysql }

const setting = { mode: "compatible", strategy: "database" } as const

let application: Promise<Process> | undefined
let next: { readonly tab: Browser; readonly finish: Finish } | undefined

process.on("message", (order: Order) => {
  const failed = (cause: unknown): Result => ({ failure: cause instanceof Error ? cause.stack : String(cause) })
  void obey(order)
    .catch(failed)
    .then((result) => process.send?.(result))
})

async function obey(order: Order): Promise<Result> {
  if (order.kind === "start") {
    application ??= processOver(open[order.database]?.(order.url) ?? {}, setting, { sleep: setTimeout })
    const its = await application
    const tab = its.visitor.fresh()
    const flow = ofNewUser.find(({ title }) => title === order.flow)
    if (flow === undefined) throw new Error(`There is no flow "${order.flow}"`)
    next = { tab, finish: await flow.start(its, tab, order.as) }
    return {}
  }
  await next?.finish()
  return next === undefined ? {} : { who: await whoIs(next.tab), error: errorOf(next.tab) }
}
