import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { MemoryAdapter } from "@latchkey/adapter-kit"
import { captureLog, frozenClock, visit } from "@latchkey/testing"
import type { Browser, CapturedLog } from "@latchkey/testing"
import type { Facts } from "./facts.js"
import { given } from "./provider.js"
import { openService, type Service, type Trouble } from "./service.js"

export interface SignedIn {
  readonly browser: Browser
  readonly service: Service
  readonly adapter: MemoryAdapter
  readonly log: CapturedLog
}

/**
 * A whole sign-in through `Auth(request, config)`: from the button to the page that was asked for. `served`: what
 * the service goes by, if it is not what the application was told.
 */
export async function signIn(facts: Facts, trouble?: Trouble, served: Facts = facts): Promise<SignedIn> {
  const clock = frozenClock()
  const service = openService(served, clock.now, trouble)
  const adapter = memoryAdapter()
  const log = captureLog()
  const runtime = { fetch: service.fetch }
  const providers = [await given(facts)]
  const browser = await visit({ providers, adapter, runtime, logger: log.logger }, { clock })
  await browser.signIn(facts.id)
  if (browser.location.startsWith(browser.origin)) throw new Error(`The sign-in ended at ${whyItEnded(browser, log)}`)
  const { answer, from } = service.consent(browser.location)
  await browser.follow(answer, from)
  return { browser, service, adapter, log }
}

/** Where the browser is, and what was logged of it. */
export function whyItEnded({ location }: Browser, { entries }: CapturedLog): string {
  const problems = entries.filter(({ level }) => level === "error").map(({ text }) => text)
  return [location, ...problems].join("\n")
}
