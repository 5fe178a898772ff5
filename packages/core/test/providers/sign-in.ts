import type { MemoryAdapter } from "@latchkey/adapter-kit"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type Browser, type CapturedLog, captureLog, frozenClock, visit } from "@latchkey/testing"
import type { Facts } from "./facts.js"
import { type Factory, given, load } from "./provider.js"
import { type Failure, type SimulatedService, simulateService } from "./simulated-service.js"

export interface SignedIn {
  readonly browser: Browser
  readonly service: SimulatedService
  readonly adapter: MemoryAdapter
  readonly log: CapturedLog
}

export interface SignInOptions extends Failure {
  /** The facts that the service goes by, if they differ from those of the provider. */
  readonly served?: Facts
  /** The provider, if it isn't one of the built-in ones. */
  readonly factory?: Factory
  /** Changes the text of each response. */
  readonly rewrite?: (text: string) => string
}

/** A whole sign-in through `Auth(request, config)`, from the button to the requested page. */
export async function signIn(facts: Facts, options: SignInOptions = {}): Promise<SignedIn> {
  const { served = facts, factory = await load(facts), rewrite, ...failure } = options
  const clock = frozenClock()
  const service = simulateService(served, clock.now, failure)
  const adapter = memoryAdapter()
  const log = captureLog()
  const runtime = { fetch: rewrite === undefined ? service.fetch : rewritten(service.fetch, rewrite) }
  const providers = [given(facts, factory)]
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

function rewritten(fetch: SimulatedService["fetch"], rewrite: (text: string) => string): SimulatedService["fetch"] {
  return async (input, init) => {
    const { status, headers, ...response } = await fetch(input, init).then(async (given) => ({
      status: given.status,
      headers: given.headers,
      text: await given.text(),
    }))
    return new Response(rewrite(response.text), { status, headers })
  }
}
