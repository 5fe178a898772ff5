import type { ModuleUser, Section } from "@latchkey/core/module"
import { type Context, masked, type Result, typed } from "./context.js"
import { notify } from "./notices.js"
import { numberIn } from "./numbers.js"
import type { PhoneOptions } from "./options.js"
import { codePage, phoneField, problemPage } from "./pages.js"
import { sendCode } from "./send.js"

/** On the account page. */
export async function section(context: Context, { id }: ModuleUser): Promise<Section> {
  const { text, users } = context
  const numbers = await users.accounts(id)
  return {
    title: text("phone"),
    blocks: [
      ...numbers.flatMap((number) => [
        { kind: "text", text: text("current", { number: masked(number) }) } as const,
        { kind: "form", route: "remove", values: { number }, submit: text("remove"), secondary: true } as const,
      ]),
      { kind: "form", route: "add", fields: { phone: phoneField(context) }, submit: text("use"), secondary: true },
    ],
  }
}

/** POST add: sends a code to a number that the user adds, or that comes in place of theirs. */
export async function add(options: PhoneOptions, context: Context, user: ModuleUser): Promise<Result> {
  const number = numberIn(typed(context, "phone"), options.country)
  if (number === null) return problemPage(context, context.text("invalid"))
  const replaces = await context.users.accounts(user.id)
  const error = await sendCode(options, context, { number, user, replaces })
  return error === undefined ? codePage(context, { number, isAdding: true }) : problemPage(context, error)
}

/** POST remove. Without an email, a user might have no other way to sign in. */
export async function remove(context: Context, { id, email }: ModuleUser): Promise<Result> {
  const { users, text, emit, redirect } = context
  const number = typed(context, "number")
  if (!(await users.accounts(id)).includes(number)) return redirect("account")
  if (email === undefined) return problemPage(context, text("lastWay"))
  if (await users.unlink(id, number)) {
    await emit("removed", { id })
    await notify(context, { id, email, notice: "mailRemoved", number })
  }
  return redirect("account")
}
