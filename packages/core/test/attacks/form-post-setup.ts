import { Auth } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import {
  type Browser,
  captureLog,
  createProvider,
  type FakeProvider,
  type FrozenClock,
  frozenClock,
  openBrowser,
} from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { type App, open, secret } from "../flows/oauth/app.js"

type Params = Readonly<Record<string, string>>

export const callback = "/auth/callback/op"

function posting(op: FakeProvider, params: Params = {}) {
  return op.provider({ authorization: { params: { response_mode: "form_post", ...params } } })
}

interface World extends App {
  readonly op: FakeProvider
  /** The provider of the current session, which responds with redirects. */
  readonly other: FakeProvider
}

export async function world(mode: Mode, params: Params = {}): Promise<World> {
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  return { op, other, ...(await open([posting(op, params), other.provider()], { security: mode })) }
}

/** The fields of the form that the provider's page submits. */
export async function formOf(op: FakeProvider, at: URL, as = "ada"): Promise<Params> {
  const answer = await op.authorize(at, { as })
  if (answer.method === "POST") return answer.fields
  throw new Error("The provider answered with a redirect")
}

interface Pause {
  readonly request: Request
  readonly browser: Browser
  readonly clock: FrozenClock
}

/** Grace is signed in. `between` runs after the provider's form is posted and before the request that follows it. */
export async function interrupted(
  mode: Mode,
  between: (pause: Pause) => Promise<Request | undefined> | Request | undefined,
) {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const other = createProvider({ id: "other", issuer: "https://other.test", clock })
  const adapter = memoryAdapter()
  const providers = [posting(op), other.provider()]
  const log = captureLog()
  const config = {
    secret,
    trustHost: ["app.test"],
    providers,
    adapter,
    security: mode,
    runtime: clock.runtime,
    logger: log.logger,
  }
  const isHandle = ({ method, url }: Request) => method === "GET" && url.includes(`${callback}?state=`)
  let paused = false
  const pause = async (request: Request) => {
    if (paused || !isHandle(request)) return request
    paused = true
    const changed = await between({ request, browser, clock })
    paused = false
    return changed ?? request
  }
  const browser: Browser = openBrowser({
    origin: "https://app.test",
    clock,
    handle: async (request) =>
      request.url.includes("/auth/") ? Auth(await pause(request), config) : new Response("app"),
  })
  await browser.signInWith(other, { as: "grace" })
  const link = () => browser.signInWith(op, { as: "ada", fields: { link: "true" } })
  const linked = () => adapter.rows().accounts.filter(({ provider }) => provider === "op").length
  return { op, browser, log, link, linked }
}
