import { SessionTokenError } from "../errors.js"
import type { Adapter, AdapterSession, SessionDetails } from "../model/adapter.js"
import type { SessionContext } from "../model/auth.js"
import type { SessionRequest } from "../model/http.js"
import type { Logger } from "../model/logger.js"
import type { LiveSession } from "../model/session-strategy.js"

// What a user sees about a session. Only adapters with `describeSession` store it: others may have a field of this name.

interface DetailStore {
  readonly adapter: Pick<Adapter, "describeSession">
  readonly logger: Logger
}

export function detailsIn(
  adapter: Pick<Adapter, "describeSession">,
  { details }: AdapterSession,
): SessionDetails | undefined {
  return adapter.describeSession === undefined ? undefined : (details ?? {})
}

/** Details are a help for the user, so a session works without them. */
export async function describe(
  { adapter, logger }: DetailStore,
  key: string,
  details: SessionDetails | undefined,
): Promise<void> {
  if (details === undefined || adapter.describeSession === undefined) return
  try {
    await adapter.describeSession(key, details)
  } catch (cause) {
    logger.error(
      new SessionTokenError("Could not store the details of a session; the session works without", { cause }),
    )
  }
}

/** What is known when a session starts. @param continued the session whose sign-in time it keeps */
export function detailsAtStart(
  { adapter, runtime }: Pick<SessionContext, "adapter" | "runtime">,
  { headers }: Pick<SessionRequest, "headers">,
  continued: LiveSession | undefined,
): SessionDetails {
  if (adapter?.describeSession === undefined) return {}
  const now = new Date(runtime.now())
  const createdAt = continued === undefined ? now : continued.row?.details?.createdAt
  return { ...(createdAt && { createdAt }), lastUsedAt: now, ...deviceOf(headers.get("user-agent")) }
}

/** How exactly the last use of a session is known. Milliseconds. */
const precision = 3_600_000

/** Not awaited if there is nothing to store: awaiting `undefined` costs a turn of the event loop on every read. */
export function recordUse(
  { adapter, logger, runtime }: SessionContext,
  { headers }: SessionRequest,
  { row }: LiveSession,
): Promise<void> | undefined {
  if (adapter?.describeSession === undefined || row?.details === undefined) return undefined
  const { lastUsedAt } = row.details
  const now = runtime.now()
  // Also true for a date that isn't valid.
  const isDue = lastUsedAt === undefined || !(new Date(lastUsedAt).getTime() > now - precision)
  if (!isDue) return undefined
  return describe({ adapter, logger }, row.key, { lastUsedAt: new Date(now), ...deviceOf(headers.get("user-agent")) })
}

/** In the order in which they are recognized: most browsers also name those that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
]

/** Characters. */
const maxLength = 512

/** What a `User-Agent` says, in words of ours: it's text from a visitor, and another user reads it. */
export function deviceOf(userAgent: string | null): { readonly browser?: string; readonly system?: string } {
  const text = userAgent?.slice(0, maxLength) ?? ""
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}
