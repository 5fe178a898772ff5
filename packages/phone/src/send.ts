import { newCode } from "./codes.js"
import { type Context, masked } from "./context.js"
import { isKnownBrowser } from "./known.js"
import { limitOf, type PhoneOptions, prefixOf } from "./options.js"

interface Wanted {
  readonly number: string
  /** The signed-in user who adds it. */
  readonly user?: { readonly id: string }
  readonly replaces?: readonly string[]
}

/**
 * Sends a code. Users aren't looked up, so nothing tells whether the number has one.
 *
 * @returns why it wasn't sent
 * @throws RateLimited
 */
export async function sendCode(options: PhoneOptions, context: Context, wanted: Wanted): Promise<string | undefined> {
  const { number, user, replaces = [] } = wanted
  // `allow` may cost money, too.
  await context.limit("visitor")
  const prefix = prefixOf(options, number)
  const refused = prefix === null ? "cantSend" : await refusal(options, context, wanted)
  if (prefix === null || refused !== undefined) return context.text(refused ?? "cantSend")
  await countMessage(context, number, prefix)
  const code = await newCode(context, { number, userId: user?.id, replaces })
  return (await deliver(options, context, wanted, code)) ? undefined : context.text("notSent")
}

/** What `allow` says. A service that it asks may be down. */
async function refusal(
  { allow }: PhoneOptions,
  context: Context,
  { number, user }: Wanted,
): Promise<"cantSend" | "notSent" | undefined> {
  try {
    return (await allow?.(number)) === false ? "cantSend" : undefined
  } catch (cause) {
    await failed(context, { to: number, user }, cause)
    return "notSent"
  }
}

interface Receiver {
  readonly to: string
  readonly user: { readonly id: string } | undefined
}

async function failed({ emit }: Context, { to, user }: Receiver, cause: unknown): Promise<void> {
  const reason = cause instanceof Error ? cause.name : "unknown"
  await emit("code-sent", user === undefined ? null : { id: user.id }, {
    outcome: "failure",
    reason,
    data: { number: masked(to) },
  })
}

/** Before it's sent, because parallel requests would all be sent otherwise. */
async function countMessage(context: Context, number: string, prefix: string | undefined): Promise<void> {
  const { limit } = context
  // All known browsers of a number share a budget: its owner, who may earn a share, can make any number of them.
  const names = (await isKnownBrowser(context, number)) ? ["known", "known-daily"] : ["number", "daily"]
  for (const name of names) await limit(name, number)
  if (prefix !== undefined) await limit(limitOf(prefix), "all")
  await limit("total", "all")
}

async function deliver(
  { send }: PhoneOptions,
  context: Context,
  { number: to, user }: Wanted,
  code: string,
): Promise<boolean> {
  const about = user === undefined ? undefined : { id: user.id }
  try {
    await send({ to, code, text: messageWith(context, code), user: about })
  } catch (cause) {
    await failed(context, { to, user }, cause)
    return false
  }
  await context.emit("code-sent", about ?? null, { data: { number: masked(to) } })
  return true
}

/**
 * The last line binds the code to this host: https://wicg.github.io/sms-one-time-codes. A host that the visitor may have made up isn't
 * named, neither there nor as the application.
 */
function messageWith({ text, app, request }: Context, code: string): string {
  const { host, hostname } = new URL(request.origin)
  if (request.isHostKnown) return `${text("message", { app, code })}\n\n@${hostname} #${code}`
  return app === host ? code : text("message", { app, code })
}
