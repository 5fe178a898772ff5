import { newCode } from "./codes.js"
import { type Context, masked } from "./context.js"
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
  if (prefix === null || (await options.allow?.(number)) === false) return context.text("cantSend")
  await countMessage(context, number, prefix)
  const code = await newCode(context, { number, userId: user?.id, replaces })
  return (await deliver(options, context, wanted, code)) ? undefined : context.text("notSent")
}

/** Before it's sent, because parallel requests would all be sent otherwise. */
async function countMessage({ limit }: Context, number: string, prefix: string | undefined): Promise<void> {
  for (const name of ["number", "daily"]) await limit(name, number)
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
  const data = { number: masked(to) }
  try {
    await send({ to, code, text: messageWith(context, code), user: about })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await context.emit("code-sent", about ?? null, { outcome: "failure", reason, data })
    return false
  }
  await context.emit("code-sent", about ?? null, { data })
  return true
}

/** The last line binds the code to this host: https://wicg.github.io/sms-one-time-codes */
function messageWith({ text, app, request }: Context, code: string): string {
  return `${text("message", { app, code })}\n\n@${new URL(request.origin).hostname} #${code}`
}
