import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { start } from "./processes.js"

export type Order =
  | {
      readonly kind: "start"
      readonly database: string
      readonly url: string
      readonly flow: string
      readonly as: string
    }
  | { readonly kind: "finish" }

export interface Result {
  readonly who?: unknown
  readonly error?: string | null
  /** The stack of an error that wasn't expected. */
  readonly failure?: string | undefined
}

export interface Racers {
  /** Brings each process to the last request of its flow, and then lets all of them finish at the same moment. */
  race(flows: readonly string[], as: string): Promise<readonly Result[]>
  stop(): void
}

/** Processes that serve one application. */
export function racers(database: string, url: string, count = 2): Racers {
  const children = Array.from({ length: count }, () => start("racer.ts"))
  const give = async (child: ChildProcess, order: Order): Promise<Result> => {
    const answered = once(child, "message")
    child.send(order)
    const [result]: readonly Result[] = await answered
    if (result?.failure !== undefined) throw new Error(result.failure)
    return result ?? {}
  }
  return {
    race: async (flows, as) => {
      await Promise.all(
        children.map((child, at) => give(child, { kind: "start", database, url, flow: flows[at] ?? "", as })),
      )
      return Promise.all(children.map((child) => give(child, { kind: "finish" })))
    },
    stop: () => {
      for (const child of children) child.kill()
    },
  }
}
