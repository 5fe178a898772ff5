import type { MemoryAdapter } from "@latchkey/adapter-kit"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type Browser, type CapturedLog, captureLog, frozenClock, visit } from "@latchkey/testing"
import type { Facts } from "./facts.js"
import { given } from "./provider.js"
import { type Failure, type SimulatedService, simulateService } from "./simulated-service.js"

export interface SignedIn {
  readonly browser: Browser
  readonly service: SimulatedService
  readonly adapter: MemoryAdapter
  readonly log: CapturedLog
}

/**
 * A whole sign-in through `Auth(request, config)`, from the button to the requested page.
 *
 * @param served the facts that the service goes by, if they differ from those of the provider
 */
export async function signIn(facts: Facts, failure?: Failure, served: Facts = facts): Promise<SignedIn> {
  const clock = frozenClock()
  const service = simulateService(served, clock.now, failure)
  const adapter = memoryAdapter()
  const log = captureLog()
  const runtime = { fetch: service.fetch }
  const providers = [await given(facts)]
  const browser = await visit({ providers, adapter, runtime, logger: log.logger }, { clock })
  await browser.signIn(facts.id)
  if (browser.location.startsWith(browser.origin)) throw new Error(`The sign-in ended at ${outcome(browser, log)}`)
  const { answer, from } = service.consent(browser.location)
  await browser.follow(answer, from)
  return { browser, service, adapter, log }
}

/** Where the browser is, followed by the logged errors. */
export function outcome({ location }: Browser, { entries }: CapturedLog): string {
  const errors = entries.filter(({ level }) => level === "error").map(({ text }) => text)
  return [location, ...errors].join("\n")
}
