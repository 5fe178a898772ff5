import type { Adapter } from "@latchkey/core/adapters"

/** Whether the fault comes before or after the call takes effect. */
export type Moment = "before" | "after"

/** Wraps a call. `run` makes the call itself. */
type Around = (method: string, run: () => Promise<unknown>) => Promise<unknown>

/** Wraps each call of the adapter. A transaction is a call, and so is each call inside it. */
export function around(adapter: Adapter, each: Around): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || typeof name !== "string") return member
      if (name !== "transaction")
        return (...args: unknown[]) => each(name, async () => Reflect.apply(member, target, args))
      return (work: (inside: Adapter) => Promise<unknown>) =>
        each(name, async () => target.transaction?.((inside) => work(around(inside, each))))
    },
  })
}

export interface Faulty {
  readonly adapter: Adapter
  /** The methods called since `watch`, in the order in which they started. */
  readonly calls: readonly string[]
  /** Counts from zero again. `fault` happens once, at call number `at`. Without `fault` none happens. */
  watch(fault?: { readonly at: number; readonly moment: Moment; readonly act: () => unknown }): void
  hit(): boolean
}

/** Wraps a store so that one call, chosen by its number, has a fault. */
export function faulty(adapter: Adapter): Faulty {
  let calls: string[] = []
  let armed: Parameters<Faulty["watch"]>[0]
  let hit = false
  const act = async (): Promise<void> => {
    hit = true
    await armed?.act()
  }
  return {
    get calls() {
      return calls
    },
    hit: () => hit,
    watch: (fault) => {
      armed = fault
      calls = []
      hit = false
    },
    adapter: around(adapter, async (method, run) => {
      const isIt = calls.push(method) - 1 === armed?.at
      if (isIt && armed?.moment === "before") await act()
      const result = await run()
      if (isIt && armed?.moment === "after") await act()
      return result
    }),
  }
}

/** An `act` that loses the connection. */
export function loseConnection(): never {
  throw new Error("connection lost")
}

/** An `act` that does not answer until `giveUp`, which fails as a broken connection does. */
export function hanging(): { readonly act: () => Promise<never>; readonly reached: Promise<void>; giveUp(): void } {
  let reach = (): void => {}
  let giveUp = (): void => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const answer = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("connection timed out"))
  })
  const act = () => {
    reach()
    return answer
  }
  return { act, reached, giveUp: () => giveUp() }
}
