import type { ModuleUser, Section } from "@latchkey/core/module"
import { type Context, masked, type Result, typed } from "./context.js"
import { notify } from "./notices.js"
import { numberIn } from "./numbers.js"
import type { PhoneOptions } from "./options.js"
import { addPage, codePage, phoneField, problemPage } from "./pages.js"
import { sendCode } from "./send.js"
import { isShut } from "./sign-in.js"

/** Seconds in which a form of the account page works. */
const day = 86_400

/** On the account page. `null`: the user can't sign up by phone. */
export async function section(options: PhoneOptions, context: Context, user: ModuleUser): Promise<Section | null> {
  const { text, users, seal } = context
  if (await isShut(options, context, user)) return null
  const accounts = await users.accounts(user.id)
  // A page in a history or a screenshot of its source doesn't have the number.
  const numbers = await Promise.all(
    accounts.map(async (number) => ({ number, sealed: await seal({ remove: number }, day) })),
  )
  return {
    title: text("phone"),
    blocks: [
      ...numbers.flatMap(({ number, sealed }) => [
        { kind: "text", text: text("current", { number: masked(number) }) } as const,
        { kind: "form", route: "remove", values: { number: sealed }, submit: text("remove"), secondary: true } as const,
      ]),
      { kind: "form", route: "add", fields: { phone: phoneField(context) }, submit: text("use"), secondary: true },
    ],
  }
}

/** POST add: sends a code to a number that the user adds, or that comes in place of theirs. */
export async function add(options: PhoneOptions, context: Context, user: ModuleUser): Promise<Result> {
  const phone = typed(context, "phone")
  const number = numberIn(phone, options.country)
  if (number === null) return problemPage(context, context.text("invalid"))
  if (await isShut(options, context, user)) return problemPage(context, context.text("cantSend"))
  const unsolved = await context.captcha("sign-up")
  if (unsolved !== undefined) return addPage(context, { error: unsolved, phone })
  await context.limit("user", user.id)
  const replaces = await context.users.accounts(user.id)
  const error = await sendCode(options, context, { number, user, replaces })
  return error === undefined ? codePage(context, { number, isAdding: true }) : problemPage(context, error)
}

/** POST remove. Without an email, a user might have no other way to sign in. */
export async function remove(context: Context, { id, email }: ModuleUser): Promise<Result> {
  const { users, text, emit, redirect, open } = context
  const number = (await open(typed(context, "number")))?.["remove"]
  if (typeof number !== "string" || !(await users.accounts(id)).includes(number)) return redirect("account")
  if (email === undefined) return problemPage(context, text("lastWay"))
  if (await users.unlink(id, number)) {
    await emit("removed", { id })
    await notify(context, { id, email, notice: "mailRemoved", number })
  }
  return redirect("account")
}
