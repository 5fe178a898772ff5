import {
  type CompletedSignIn,
  type Owner,
  type Proven,
  proven,
  type SignInAttempt,
  type Verdict,
} from "@latchkey/core/module"
import { codeIn, forgetCode, useCode, type Wanted } from "./codes.js"
import { type Context, typed } from "./context.js"
import { rememberBrowser } from "./known.js"
import { notify } from "./notices.js"
import { numberIn } from "./numbers.js"
import type { PhoneOptions } from "./options.js"
import { askPage, codePage } from "./pages.js"
import { sendCode } from "./send.js"

/** The button of the sign-in page, the form for the number, and the one for the code. */
export async function prove(options: PhoneOptions, context: Context): Promise<Proven> {
  if (typed(context, "step") === "code") return answer(context)
  const phone = typed(context, "phone")
  if (phone === "") return proven({ show: await askPage(context) })
  return proven({ show: await start(options, context, phone) })
}

async function start(options: PhoneOptions, context: Context, phone: string) {
  const number = numberIn(phone, options.country)
  if (number === null) return askPage(context, { error: context.text("invalid"), phone })
  const error = (await context.captcha("sign-up")) ?? (await sendCode(options, context, { number }))
  if (error !== undefined) return askPage(context, { error, phone })
  return codePage(context, { number, isAdding: false })
}

async function answer(context: Context): Promise<Proven> {
  await context.limit("answer")
  const waiting = await codeIn(context)
  // Another tab may have asked for a code for another number since the form was shown.
  if (waiting === null || typed(context, "phone") !== waiting.number) return gone(context)
  const used = await useCode(context, typed(context, "code"))
  if (used === "gone") return gone(context)
  if (used === "wrong") {
    await context.emit("wrong-code", null, { outcome: "failure" })
    const { number, userId } = waiting
    const error = context.text("wrong")
    return proven({ show: await codePage(context, { number, isAdding: userId !== undefined, error }) })
  }
  return used.userId === undefined ? signsIn(used) : adds(context, used, used.userId)
}

async function gone(context: Context): Promise<Proven> {
  return proven({ show: await askPage(context, { error: context.text("expired") }) })
}

/** RFC 8176 */
const amr = "sms"

function signsIn({ number }: Wanted): Proven {
  return proven({ account: number, amr })
}

/** The user who asked for the code is still the one who is signed in, and was asked who they are a short time ago. */
async function adds(context: Context, { number, replaces }: Wanted, userId: string): Promise<Proven> {
  const user = await context.user()
  if (user?.id !== userId || !user.isRecent) return gone(context)
  return proven({ account: number, amr, linkTo: userId, carried: { added: number, replaces: [...replaces] } })
}

export async function guard(options: PhoneOptions, context: Context, attempt: SignInAttempt): Promise<Verdict> {
  const { isNewUser, provider, user, current } = attempt
  if (provider !== "phone") return { kind: "allow" }
  const isSignUp = isNewUser
    ? options.signUp === "closed"
    : user.id === current?.id && (await isShut(options, context, user))
  if (!isSignUp) return { kind: "allow" }
  return { kind: "deny", reason: "sign-up by phone is closed" }
}

/** Whether the number would make an account of an anonymous user, where sign-up is closed. */
export async function isShut({ signUp }: PhoneOptions, { users }: Context, { id }: Owner): Promise<boolean> {
  return signUp === "closed" && (await users.isNameless(id))
}

export async function after(context: Context, signIn: CompletedSignIn): Promise<void> {
  if (signIn.provider !== "phone") return
  await forgetCode(context)
  await rememberBrowser(context, signIn.account.providerAccountId)
  const added = addedIn(signIn)
  if (added === undefined) return
  const { id, email } = signIn.user
  for (const former of added.replaces) if (former !== added.number) await unlinkSurely(context, id, former)
  await context.emit("added", { id })
  await notify(context, { id, email, notice: "mailAdded", number: added.number })
}

/** The new number is stored already, so what fails for a moment is done again. */
async function unlinkSurely({ users }: Context, id: string, number: string): Promise<void> {
  try {
    await users.unlink(id, number)
  } catch {
    await users.unlink(id, number)
  }
}

function addedIn({
  carried,
}: CompletedSignIn): { readonly number: string; readonly replaces: readonly string[] } | undefined {
  if (typeof carried !== "object" || carried === null || Array.isArray(carried)) return undefined
  const { added, replaces } = carried
  return typeof added === "string" && Array.isArray(replaces)
    ? { number: added, replaces: replaces.map(String) }
    : undefined
}
