import { EventError } from "../errors.js"
import type { Logger } from "../model/logger.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { AuthConfig } from "../model/config.js"
import { within } from "../primitives/runtime.js"

/** A handler that takes longer no longer delays anybody. Milliseconds. */
const patience = 3000

type Name = keyof EventCallbacks

const names: readonly Name[] = [
  "signIn",
  "signOut",
  "createUser",
  "updateUser",
  "linkAccount",
  "session",
  "signInFailure",
]

/**
 * Handlers of the configuration and of its modules, made harmless: a fault is logged, a handler that hangs is left
 * behind, and nothing of it reaches the flow.
 */
export function eventsOf(config: AuthConfig, logger: Logger): Required<EventCallbacks> {
  const sources = [config.events ?? {}, ...(config.modules ?? []).map((module) => module.events ?? {})]
  const entries = names.map((name) => [name, dispatcher(name, sources, config.waitUntil, logger)] as const)
  return Object.fromEntries(entries) as unknown as Required<EventCallbacks>
}

function dispatcher(
  name: Name,
  sources: readonly EventCallbacks[],
  waitUntil: AuthConfig["waitUntil"],
  logger: Logger,
): (message: never) => Promise<void> | undefined {
  const listening = sources.filter((source) => source[name] !== undefined)
  if (listening.length === 0) return () => undefined
  const notify = async (message: never): Promise<void> => {
    for (const source of listening) {
      try {
        await source[name]?.(message)
      } catch (cause) {
        logger.error(
          new EventError(`The ${name} event handler failed: the flow went on without it`, { cause, event: name }),
        )
      }
    }
  }
  return (message) => {
    const work = notify(message)
    if (waitUntil === undefined) return within(patience, work, () => undefined)
    const refused = (cause: unknown) =>
      logger.error(new EventError("waitUntil() refused the work: correct `waitUntil`", { cause, event: name }))
    try {
      // It is the platform's or the application's: some return a promise all the same.
      Promise.resolve<unknown>(waitUntil(work)).catch(refused)
    } catch (cause) {
      refused(cause)
    }
    return undefined
  }
}
