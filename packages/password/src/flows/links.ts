import { createHash } from "node:crypto"
import type { ModuleMail, Value } from "@latchkey/core/module"
import type { AdapterUser } from "@latchkey/core/adapters"
import type { records } from "../records.js"
import type { Typed } from "./fields.js"
import type { Background, Context, Result } from "./site.js"

export type Link = Value<(typeof records)["link"]["fields"]>

/** Seconds. */
const lifetimes = { reset: 3600, "sign-up": 86_400, invitation: 7 * 86_400 } as const

interface Request {
  readonly email: string
  /** `null`: no user has this email. */
  readonly user: AdapterUser | null
  readonly letter: Letter
  /** Of the password that was chosen already. */
  readonly hash?: string
  /** The name of the browser that chose it. */
  readonly browser?: string
  /** What was typed with it. */
  readonly fields?: Typed
}

/** Why the email is sent. */
export type Letter = "signUp" | "known" | "reset" | "none" | "noAccount" | "invite"

/**
 * Sends a link. The newest of its kind is the only one that works. A mailbox without a user gets one, too, so that the answer takes as
 * long for each.
 *
 * It's stored when it was sent, so that one that a limit keeps back doesn't end the one before.
 */
export async function sendLink(context: Context, request: Request): Promise<void> {
  const { records, users } = context
  const { email, user, letter } = request
  const kind = letter === "invite" ? "invitation" : user === null ? "sign-up" : "reset"
  const token = secret(context)
  const mailbox = users.canonicalEmail(email)
  const epoch = await epochOf(context, user?.id)
  const link = {
    mailbox,
    kind,
    email,
    token: digest(token),
    epoch,
    ...(user && { userId: user.id }),
    ...chosen(request),
  }
  const rest = letter === "noAccount" ? { closing: [context.text("ignore")] } : withLink(context, token, kind)
  await context.mail({ to: email, ...letterOf(context, letter), ...rest })
  await replace(records.link, { mailbox, kind }, link, lifetimes[kind])
}

/** What the browser that signed up confirms with the link. */
function chosen({ hash, browser, fields }: Request): Partial<Pick<Link, "hash" | "browser" | "fields">> {
  if (browser === undefined || hash === undefined) return {}
  return { hash, browser: digest(browser), fields: JSON.stringify(fields ?? {}) }
}

/** A random text of 256 bits. */
export function secret({ random }: Background): string {
  return Buffer.from(random(32)).toString("base64url")
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** A mailbox without a user costs the same read. */
export async function epochOf({ records }: Background, userId: string = noUser): Promise<number> {
  return (await records.password.get({ userId }))?.epoch ?? 0
}

/** No user has this id. */
export const noUser = "-"

/** Of parallel requests, the last one wins. */
async function replace(
  links: Background["records"]["link"],
  key: Pick<Link, "mailbox" | "kind">,
  link: Link,
  expiresIn: number,
): Promise<void> {
  for (let left = 20; left > 0; left--) {
    const before = await links.get(key)
    // What isn't in the new one goes away.
    const empty = { userId: undefined, hash: undefined, browser: undefined, fields: undefined }
    const isStored =
      before === null
        ? await links.insert(link, { expiresIn })
        : await links.swap(before, { ...empty, ...link }, { expiresIn })
    if (isStored) return
  }
  throw new Error("Too many links were requested for one mailbox at the same time")
}

function letterOf({ app, text }: Context, letter: Letter): Pick<ModuleMail, "subject" | "heading" | "text"> {
  const subject = text(letter === "noAccount" ? "noneSubject" : `${letter}Subject`, { app })
  return { subject, heading: subject, text: text(`${letter}Mail`) }
}

function withLink(context: Context, token: string, kind: keyof typeof lifetimes): Pick<ModuleMail, "link" | "closing"> {
  const { text, url, language } = context
  const [unit, seconds] = kind === "invitation" ? (["day", 86_400] as const) : (["hour", 3600] as const)
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" })
  const time = format.format(lifetimes[kind] / seconds)
  return {
    link: { url: url("link", { token, ...targetOf(context) }), text: text("continue"), fallback: text("fallback") },
    closing: [text("lasts", { time }), text("ignore")],
  }
}

/** Cookies: the link that was opened, and the browser that signed up. */
const [linkCookie, browserCookie] = ["link", "browser"]

/** Characters. A longer one is a stranger's, and servers refuse requests with large cookies. */
const longestToken = 64

/** Takes the token out of the URL, where the history and other pages could see it. Nothing is used up. */
export async function openLink(context: Context): Promise<Result> {
  const { request, seal, setCookie, empty, url } = context
  const { token = "" } = request.query
  const kept = token.length > longestToken ? "" : token
  setCookie(linkCookie, await seal({ token: kept, ...targetOf(context) }, lifetimes.reset), lifetimes.reset)
  return empty(303, { location: url("finish") })
}

/** The link that this browser opened. `null`: it was used, replaced, has expired or never was one. */
export async function openedLink(context: Context): Promise<Link | null> {
  const { token } = await opened(context)
  if (typeof token !== "string" || token === "") return null
  return (await context.records.link.find({ token: digest(token) })).items[0] ?? null
}

/** Where the user goes after the sign-in with the link that this browser opened. */
export async function openedTarget(context: Context): Promise<string | undefined> {
  const { callbackUrl } = await opened(context)
  return typeof callbackUrl === "string" ? callbackUrl : undefined
}

async function opened({ cookie, open }: Context): Promise<Readonly<Record<string, unknown>>> {
  return (await open(cookie(linkCookie) ?? "")) ?? {}
}

/** Characters, as part of a URL. The site has to accept the link, and the cookie has to hold it. */
const longestTarget = 1000

/**
 * The `callbackUrl` of the page or form, which the link takes along, as it may be opened in another browser. A stranger can ask for the
 * email, so the target is on this site.
 */
export function targetOf({ request: { query, fields, origin } }: Context): { readonly callbackUrl?: string } {
  const given = fields["callbackUrl"] ?? query["callbackUrl"]
  if (typeof given !== "string" || !isOnSite(given, origin)) return {}
  return encodeURIComponent(given).length <= longestTarget ? { callbackUrl: given } : {}
}

/** URL parsers ignore tabs and line breaks, and read `/\\` like `//`. A lone surrogate can't be encoded. */
function isOnSite(target: string, origin: string): boolean {
  if (/[\p{Cc}\p{Surrogate}]/u.test(target)) return false
  if (target.startsWith("/")) return !/^\/[/\\]/.test(target)
  return URL.canParse(target) && new URL(target).origin === origin
}

/** Whether this browser chose the password of a sign-up. */
export function isOfBrowser({ cookie }: Context, { browser }: Link): boolean {
  const own = cookie(browserCookie)
  return own !== undefined && browser === digest(own)
}

/** Each sign-up gets the cookie, whether or not the email has a user. */
export function nameBrowser(context: Context): string {
  const name = secret(context)
  context.setCookie(browserCookie, name, lifetimes["sign-up"])
  return name
}

export function forgetLink({ setCookie }: Context): void {
  setCookie(linkCookie, null)
  setCookie(browserCookie, null)
}

/** Uses a link up. `false`: another request was faster, or a newer link was sent. */
export async function useLink({ records }: Background, link: Link): Promise<boolean> {
  const gone = { token: undefined, hash: undefined, browser: undefined, fields: undefined }
  return records.link.swap(link, gone, { expiresIn: 1 })
}

/** Ends the links that were sent to a mailbox. */
export async function endLinks({ records, users }: Background, email: string): Promise<void> {
  const mailbox = users.canonicalEmail(email)
  for (const kind of Object.keys(lifetimes)) await records.link.remove({ mailbox, kind })
}
