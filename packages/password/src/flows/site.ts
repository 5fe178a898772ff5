import type { ModuleContext, RequestContext, SignInAttempt } from "@latchkey/core/module"
import { Busy } from "../hashing/gate.js"
import type { Hasher } from "../hashing/hasher.js"
import type { PasswordOptions } from "../options.js"
import type { BrokenRule, Policy } from "../policy/policy.js"
import type { records } from "../records.js"

export type Context = RequestContext<typeof records>
export type Background = ModuleContext<typeof records>

/** What every flow works with. */
export interface Site {
  readonly hasher: Hasher
  readonly policy: Policy
  /** Characters. */
  readonly minLength: number
  /** Who may create an account. */
  readonly signUp: NonNullable<PasswordOptions["signUp"]>
  readonly fields: NonNullable<PasswordOptions["fields"]>
  readonly usernames: boolean
  /** Asks the system that the users come from. */
  readonly verify: PasswordOptions["verify"]
}

export type Result = Awaited<ReturnType<Context["page"]>>

/** Adapters over serial columns return numbers, although ids are strings by contract. */
export function idOf({ id }: { readonly id: string | number }): string {
  return String(id)
}

/** The sign-in shows that the user has the mailbox. */
export function provesMailbox({ method, emailVerified }: SignInAttempt): boolean {
  return method === "email" || emailVerified === true
}

/** A field of a form as text. */
export function typed({ request }: Context, name: string): string {
  const value = request.fields[name]
  return typeof value === "string" ? value : ""
}

/** The message of the rule that a new password breaks. `undefined`: it may be used. */
export async function refusal(
  site: Site,
  context: Context,
  password: string,
  email: string,
): Promise<string | undefined> {
  const failed = () => context.emit("breach-check-failed", null, { outcome: "failure" })
  const broken: BrokenRule | undefined = await site.policy.check(password, { app: context.app, email }, failed)
  return broken && context.text(broken.rule, broken.values)
}

/** Seconds. The queue of hashes is empty by then. */
const retryAfter = "5"

/** A page instead of an error, if too many passwords are being hashed. */
export async function unlessBusy<T>(context: Context, work: () => Promise<T>, show: (page: Result) => T): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof Busy)) throw cause
    const blocks = [{ kind: "text", text: context.text("busyText") }] as const
    return show(
      await context.page({ title: context.text("busy"), blocks, status: 503, headers: { "retry-after": retryAfter } }),
    )
  }
}
