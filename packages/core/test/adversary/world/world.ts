import type { SessionReader } from "@latchkey/core/session-reader"
import { type FrozenClock, frozenClock } from "@latchkey/testing"
import { metered, noCosts } from "./costs.js"
import { type Exchange, setCookies, startsSession } from "./exchange.js"
import { createLedger, type Ledger } from "./ledger.js"
import { createLog, type Log } from "./log.js"
import { createMail, type Mail } from "./mail.js"
import { failingPassword, type Name, names, origins, passwordOf } from "./names.js"
import { createUser, type User } from "./user.js"
import { createProviders, type Providers } from "./providers.js"
import { createSecrets, type Secrets } from "./secrets.js"
import { beforeSwitch, type Settings } from "./settings.js"
import { openSite } from "./site.js"
import { createStore, type Store } from "./store.js"

/** Everything that exists in one sequence: a site, its users, and the attackers' means. */
export interface World {
  /** As the site is configured now. */
  readonly settings: Settings
  readonly clock: FrozenClock
  readonly users: Readonly<Record<Name, User>>
  readonly providers: Providers
  readonly mail: Mail
  readonly store: Store | undefined
  readonly ledger: Ledger
  readonly log: Log
  readonly secrets: Secrets
  /** Requests of the step that runs now, oldest first. */
  readonly exchanges: Exchange[]
  /** Callbacks that began a session. Each may do so once. */
  readonly spent: Exchange[]
  /** When `authorize` ran for a name, in milliseconds. */
  readonly guesses: { readonly name: string; readonly at: number }[]
  /** Cookies that the attacker copied from a user's browser. */
  readonly loot: Loot[]
  /** Browsers send neither `Origin` nor `Sec-Fetch-Site` with a form, as those before 2020. */
  hasOldBrowsers: boolean
  /** Sends a request to the site, past every browser. */
  send(request: Request): Promise<Response>
  /** Restarts the site with another configuration. */
  deploy(change: Deployment): void
  /** Another server of the site, which only reads sessions. */
  reader(hasAdapter: boolean): SessionReader
  /** A preview deployment of the site, on whatever host the request names. */
  preview(request: Request): Promise<Response>
}

export interface Deployment {
  readonly settings?: Settings
  /** Ends sessions that began before. */
  readonly notBefore?: Date
}

export interface Loot {
  readonly from: Name
  readonly cookie: string
  /** It was made before the site was switched to strict, when its sessions couldn't be revoked. */
  readonly isFormer: boolean
  /** When the user signed out after the copy was made. Milliseconds. */
  endedAt: number | undefined
  /** The site signed every user out after the copy was made. */
  isCutOff: boolean
}

export function createWorld(drawn: Settings): World {
  let settings = beforeSwitch(drawn)
  const clock = frozenClock()
  const [secrets, log, store] = [createSecrets(), createLog(), createStore(settings)]
  const [mail, providers] = [createMail(secrets, clock.now), createProviders(clock)]
  secrets.know("password", failingPassword)
  for (const name of names) secrets.know("password", passwordOf(name))
  const exchanges: Exchange[] = []
  const spent: Exchange[] = []
  const guesses: World["guesses"] = []
  const ledger = createLedger(store, (id) => passkeyOwner(users, id))
  const guessed = (name: string) => guesses.push({ name, at: clock.now() })
  const parts = { clock, providers, mail, store, ledger, log, secrets, guessed }
  let notBefore: Date | undefined
  let site = openSite({ ...parts, settings, notBefore })
  const send = async (request: Request): Promise<Response> => {
    const sentBy = world.hasOldBrowsers ? fromOldBrowser(request) : request
    const arriving = settings.origin === "proxy" ? behindProxy(sentBy) : sentBy
    const sent = await arriving.clone().text()
    const costs = noCosts()
    const current = settings
    const address = arriving.headers.get("x-forwarded-for") ?? "93.184.216.99"
    const response = await metered(costs, () => site.handle(arriving, address))
    const exchange = { settings: current, ...(await recorded(arriving, sent, response.clone(), costs)) }
    exchanges.push(exchange)
    learnSecrets(secrets, exchange)
    if (exchange.url.pathname.startsWith("/auth/callback/") && startsSession(exchange)) spent.push(exchange)
    return response
  }
  const users = {
    ada: createUser("ada", clock, send),
    bob: createUser("bob", clock, send),
    mallory: createUser("mallory", clock, send),
  }
  const world: World = {
    get settings() {
      return settings
    },
    clock,
    users,
    providers,
    mail,
    store,
    ledger,
    log,
    secrets,
    exchanges,
    spent,
    guesses,
    loot: [],
    hasOldBrowsers: false,
    send,
    deploy(change) {
      settings = change.settings ?? settings
      notBefore = change.notBefore ?? notBefore
      site = openSite({ ...parts, settings, notBefore })
      for (const name of names) users[name].checked = ""
    },
    reader: (hasAdapter) => site.reader(hasAdapter),
    preview: (request) => site.preview(request),
  }
  return world
}

/** The cookies of sessions, and the codes that providers sent. */
function learnSecrets(secrets: Secrets, exchange: Exchange): void {
  for (const line of setCookies(exchange)) {
    const [, value] = /session-token[^=]*=([^;]+)/.exec(line) ?? []
    secrets.know("session cookie", value)
  }
  const { url, sent } = exchange
  if (!url.pathname.startsWith("/auth/callback/")) return
  secrets.know("authorization code", url.searchParams.get("code"))
  secrets.know("authorization code", new URLSearchParams(sent).get("code"))
}

function fromOldBrowser(request: Request): Request {
  const headers = new Headers(request.headers)
  for (const name of ["origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"]) headers.delete(name)
  return new Request(request, { headers })
}

/** A proxy that replaces what clients say about the host and the scheme, as the site's `trustHost: true` requires. */
function behindProxy(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set("x-forwarded-host", new URL(origins.app).host)
  headers.set("x-forwarded-proto", "https")
  headers.delete("forwarded")
  return new Request(request, { headers })
}

async function recorded(
  request: Request,
  sent: string,
  response: Response,
  costs: Exchange["costs"],
): Promise<Omit<Exchange, "settings">> {
  const { method, headers } = request
  const { status, headers: answer } = response
  return { method, url: new URL(request.url), headers, sent, status, answer, text: await response.text(), costs }
}

function passkeyOwner(users: World["users"], id: string): Name | undefined {
  const plain = id.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  return names.find((name) => users[name].authenticator.credentials.some((credential) => credential.id === plain))
}
