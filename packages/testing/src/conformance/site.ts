import { Auth } from "@latchkey/core"
import type { Adapter, StoredRecord } from "@latchkey/core/adapters"
import type { Field, ModuleParts, RecordType } from "@latchkey/core/module"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig, Module, SecurityEvent } from "@latchkey/core/types"
import { openBrowser } from "../browser/browser.js"
import type { Browser, Fields } from "../browser/model.js"
import type { CookieJar } from "../browser/jar.js"
import { frozenClock, type FrozenClock } from "../clock.js"
import { captureLog, type CapturedLog } from "../log.js"
import { fail, type ModuleSubject } from "./subject.js"
import { type WatchedRecords, watchRecords } from "./watched-records.js"

/** One process of an application with the module. */
export interface Site extends Shared {
  readonly subject: ModuleSubject
  readonly config: AuthConfig
  readonly module: Module
  readonly parts: ModuleParts
  readonly server: Server
  /** @param jar the cookies of another tab. @default none */
  browse(jar?: CookieJar): Browser
  /** Another process of the same application. */
  another(options?: SiteOptions): Promise<Site>
}

/** What the processes of an application have in common, and what is seen of all of them. */
interface Shared {
  readonly adapter: Adapter
  readonly records: WatchedRecords
  readonly clock: FrozenClock
  readonly log: CapturedLog
  readonly events: readonly SecurityEvent[]
  readonly exchanges: readonly Exchange[]
  readonly browsers: readonly Browser[]
  /** What only one user may see. */
  readonly secrets: Set<string>
}

/** A request and what was answered. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  /** A browser opens a page, and no script asks. */
  readonly isNavigation: boolean
  readonly status: number
  readonly type: string
  readonly location: string | null
  readonly text: string
}

export interface SiteOptions {
  /** The modules of the application. @default the module alone */
  arrange?(module: Module): readonly Module[]
  /** Headers of every request. */
  readonly headers?: Fields
}

const origin = "https://app.test"

/** An application of its own, without users. */
export async function siteOf(subject: ModuleSubject, options: SiteOptions = {}): Promise<Site> {
  const adapter = await subject.adapter()
  const records = subject.config?.records ?? adapter.records
  if (records === undefined) fail("The adapter has `records`", "none")
  return processOf(subject, options, {
    adapter,
    records: watchRecords(records, `${subject.create().id}.`),
    clock: frozenClock(),
    log: captureLog(),
    events: [],
    exchanges: [],
    browsers: [],
    secrets: new Set(),
  })
}

type Collected = Shared & {
  readonly events: SecurityEvent[]
  readonly exchanges: Exchange[]
  readonly browsers: Browser[]
}

async function processOf(subject: ModuleSubject, options: SiteOptions, shared: Collected): Promise<Site> {
  const { adapter, records, clock, log, events, exchanges, browsers, secrets } = shared
  const module = noting(subject.create(), secrets)
  const { arrange = (only) => [only], headers } = options
  const config: AuthConfig = {
    secret: "only-for-tests-0123456789abcdefghij",
    trustHost: true,
    session: { strategy: "jwt" },
    rateLimit: false,
    debug: true,
    ...subject.config,
    providers: [byId(adapter), ...(subject.config?.providers ?? [])],
    adapter,
    records,
    logger: log.logger,
    runtime: clock.runtime,
    events: { ...subject.config?.events, security: (event) => void events.push(event) },
    modules: [...(subject.config?.modules ?? []), ...arrange(module)],
  }
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith("/auth/") ? await Auth(request, config) : new Response("app")
    exchanges.push(await exchangeOf(request, response.clone()))
    return response
  }
  return {
    ...shared,
    subject,
    config,
    module,
    parts: (await module.load?.()) ?? {},
    server: createServer(config),
    browse(jar) {
      const browser = openBrowser({ origin, handle, clock, headers, jar })
      browsers.push(browser)
      return browser
    },
    another: (next = options) => processOf(subject, next, shared),
  }
}

/** Signs in with the id of a user. */
function byId(adapter: Adapter): AuthConfig["providers"][number] {
  return credentials({
    credentials: { id: {} },
    authorize: async ({ id }) => (await adapter.getUser?.(String(id))) ?? null,
  })
}

/** The same module, whose sealed values are noted. */
function noting(module: Module, secrets: Set<string>): Module {
  const sealed = <T>(field: Field<T>): Field<T> => ({
    ...field,
    toJson(value) {
      const json = field.toJson(value)
      if (typeof json === "string") secrets.add(json)
      return json
    },
  })
  const noted = ({ fields, ...rest }: RecordType): RecordType => ({
    ...rest,
    fields: mapValues(fields, (field) => (field.kind === "sealed" ? sealed(field) : field)),
  })
  return module.records === undefined ? module : { ...module, records: mapValues(module.records, noted) }
}

function mapValues<T>(given: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, change(value)]))
}

async function exchangeOf(request: Request, response: Response): Promise<Exchange> {
  return {
    method: request.method,
    url: new URL(request.url),
    isNavigation: request.headers.get("sec-fetch-mode") === "navigate",
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    location: response.headers.get("location"),
    text: await response.text(),
  }
}

/** The routes of the module, and the two pages that it adds to. */
export function isOfModule({ module: { id, paths = [] } }: Site, { pathname }: URL): boolean {
  const [, base, first = ""] = pathname.split("/")
  return base === "auth" && [id, ...paths, "account", "factor"].includes(first)
}

/** The records of the module that are stored now. */
export async function storedOf({ records }: Site): Promise<readonly StoredRecord[]> {
  const found = await Promise.all(records.written.map(async ({ kind, key }) => records.get(kind, key)))
  return found.filter((record) => record !== null)
}

/** The messages of the errors that were logged. */
export function errorsOf({ log }: Site): readonly string[] {
  return log.entries.flatMap(({ level, text }) => (level === "error" ? [text] : []))
}
