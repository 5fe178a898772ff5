import { EventError } from "../errors.js"
import type { Logger } from "../model/logger.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { AuthConfig } from "../model/config.js"
import { within } from "../primitives/runtime.js"
import { namedSecrets } from "./collect-secrets.js"
import { mayQuote, secretsQuotedBy } from "./in-flight.js"

/** A slower handler continues in the background. Milliseconds. */
const timeoutMs = 3000

type Name = keyof EventCallbacks

export const eventNames: readonly Name[] = [
  "signIn",
  "signOut",
  "createUser",
  "updateUser",
  "updateProfile",
  "linkAccount",
  "unlinkAccount",
  "removePasskey",
  "renamePasskey",
  "revokeSessions",
  "requestEmailChange",
  "changeEmail",
  "deleteUser",
  "session",
  "signInFailure",
  "security",
]

/**
 * The event handlers of the configuration and its modules. An error in a handler is logged, a slow handler continues in the
 * background, and neither affects the sign-in.
 */
export function eventsOf(config: AuthConfig, logger: Logger): Required<EventCallbacks> {
  const sources = [config.events ?? {}, ...(config.modules ?? []).map((module) => module.on ?? {})]
  const entries = eventNames.map((name) => [name, dispatcher(name, sources, config.waitUntil, logger)] as const)
  return Object.fromEntries(entries) as unknown as Required<EventCallbacks>
}

function dispatcher(
  name: Name,
  sources: readonly EventCallbacks[],
  waitUntil: AuthConfig["waitUntil"],
  logger: Logger,
): (message: never) => Promise<void> | undefined {
  const listening = sources.filter((source) => typeof source[name] === "function")
  if (listening.length === 0) return () => undefined
  const notify = async (message: never): Promise<void> => {
    for (const source of listening) {
      try {
        await source[name]?.(message)
      } catch (cause) {
        const error = new EventError(`The handler of the ${name} event failed; the request continued`, {
          cause,
          event: name,
        })
        logger.error(mayQuote(error, () => [...secretsQuotedBy(message), ...namedSecrets(message)]))
      }
    }
  }
  return (message) => {
    const work = notify(message)
    if (waitUntil === undefined) return within(timeoutMs, work, () => undefined)
    const refused = (cause: unknown) =>
      logger.error(new EventError("waitUntil() failed. Check `waitUntil` in the configuration", { cause, event: name }))
    try {
      // By contract it returns nothing, but some platforms return a promise.
      Promise.resolve<unknown>(waitUntil(work)).catch(refused)
    } catch (cause) {
      refused(cause)
    }
    return undefined
  }
}
