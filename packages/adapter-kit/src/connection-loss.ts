import type { Adapter } from "@latchkey/core/adapters"
import { type Capability, type Surroundings, withDefaults } from "./conformance/case.js"
import { fail } from "./conformance/check.js"
import type { Runner } from "./conformance.js"
import { accountOperations } from "./connection-loss/accounts.js"
import type { Attempt, Operation } from "./connection-loss/operation.js"
import { sessionOperations } from "./connection-loss/sessions.js"
import { userOperations } from "./connection-loss/users.js"

/** Options of {@link testConnectionLoss}. */
export interface ConnectionLossOptions extends Partial<Surroundings> {
  /** Title of the group of tests. */
  readonly name: string
  /** Creates the adapter, connected through what `breakConnection` breaks. Called once, before the first test. */
  create(): Adapter | PromiseLike<Adapter>
  /**
   * Breaks the connections of the adapter instead of delivering the message with this number, counted from now on. Requests
   * and responses count, and the number starts at 1. New connections must work at once. Returns a function that calls this
   * off, and returns whether it happened. `breakableProxy` of `@latchkey/adapter-kit/proxy` does this for TCP.
   */
  breakConnection(message: number): () => boolean | PromiseLike<boolean>
  /** The capabilities to test. @default none */
  readonly capabilities?: readonly Capability[]
  /** Whether to test the methods for passkeys. @default false */
  readonly webauthn?: boolean
  /** Ids of operations to skip, such as `"loss.deleteUser"`. @default none */
  readonly skip?: readonly string[]
}

/** No operation of an adapter needs more messages. */
const mostMessages = 200

/**
 * Breaks the connection to the database at each message of each operation. The operation may succeed or reject. Then it has
 * happened completely or not at all, and the next call works.
 *
 * @example
 * ```ts
 * import { memoryAdapter, testConnectionLoss } from "@latchkey/adapter-kit"
 * import { breakableProxy } from "@latchkey/adapter-kit/proxy"
 * import { describe, test } from "node:test"
 * const { breakConnection } = await breakableProxy({ host: "127.0.0.1", port: 5432 })
 * // Use your adapter here, and connect it to the host and port of the proxy.
 * testConnectionLoss({ name: "connection loss", create: memoryAdapter, breakConnection }, { describe, test })
 * ```
 */
export function testConnectionLoss(options: ConnectionLossOptions, runner: Runner): void {
  let created: PromiseLike<Adapter> | undefined
  const adapter = () => (created ??= Promise.resolve(options.create()))
  runner.describe(options.name, () => {
    for (const operation of operationsFor(options)) {
      runner.test(operation.name, async () => breakEachMessage(await adapter(), operation, options))
    }
  })
}

function operationsFor({
  capabilities: supported = [],
  webauthn = false,
  skip = [],
}: ConnectionLossOptions): readonly Operation[] {
  const parts: readonly string[] = ["basic", ...(webauthn ? ["webauthn"] : []), ...supported]
  const all = [...userOperations, ...accountOperations, ...sessionOperations]
  return all.filter(({ part, id }) => parts.includes(part) && !skip.includes(id))
}

async function breakEachMessage(
  adapter: Adapter,
  operation: Operation,
  { breakConnection, newId, precision }: ConnectionLossOptions,
): Promise<void> {
  const surroundings = withDefaults({ ...(newId && { newId }), ...(precision && { precision }) })
  for (let message = 1; message <= mostMessages; message += 1) {
    const attempt = await operation.prepare(adapter, surroundings)
    const broke = await breakOne({ id: operation.id, message, attempt, breakConnection })
    if (!broke && message === 1) fail("breakConnection(1) breaks a connection during the operation", "no break")
    if (!broke) return
  }
  fail("breakConnection stops after the last message of an operation", `breaks at ${mostMessages} messages`)
}

interface Break extends Pick<ConnectionLossOptions, "breakConnection"> {
  /** Of the operation. */
  readonly id: string
  readonly message: number
  readonly attempt: Attempt
}

/** Returns whether the connection broke during the operation. */
async function breakOne({ id, message, attempt: { operate, verify }, breakConnection }: Break): Promise<boolean> {
  const stop = breakConnection(message)
  const [outcome] = await Promise.allSettled([(async () => operate())()])
  const broke = await stop()
  try {
    if (!broke && outcome.status === "rejected") throw outcome.reason
    await verify(outcome)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause)
    const when = broke ? `After the connection broke at message ${message}` : "Without a break"
    throw new Error(`${when}, ${id} ${outcome.status}. ${what}`, { cause })
  }
  return broke
}
