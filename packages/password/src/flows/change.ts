import { type ModuleUser, type Proven, proven, type Section } from "@latchkey/core/module"
import { changePage } from "./forms.js"
import { sendLink } from "./links.js"
import { type Context, idOf, refusal, type Result, type Site, typed, unlessBusy } from "./site.js"
import { sentPage } from "./forms.js"

/** On the account page. */
export async function section({ records, text, url, language }: Context, { id, email }: ModuleUser): Promise<Section> {
  const stored = await records.password.get({ userId: id })
  const title = text("password")
  if (stored !== null) {
    const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(stored.changedAt)
    const link = { kind: "link", url: url("change"), text: text("change") } as const
    return { title, blocks: [{ kind: "text", text: text("changedOn", { date }) }, link] }
  }
  const form = { kind: "form", route: "set", submit: text("set") } as const
  return { title, blocks: [{ kind: "text", text: text("none") }, ...(email === undefined ? [] : [form])] }
}

/** POST set: a user without a password chooses one with a link, which proves that the mailbox is theirs. */
export async function startSet(context: Context, { id, email = "" }: ModuleUser): Promise<Result> {
  const user = await context.users.byEmail(email)
  if (user === null || idOf(user) !== id) return context.redirect("account")
  await sendLink(context, { email: user.email, user, letter: "reset" })
  return sentPage(context, user.email)
}

/** The signed-in user types the old password and a new one. */
export async function proveChange(site: Site, context: Context): Promise<Proven | null> {
  return unlessBusy<Proven | null>(
    context,
    () => change(site, context),
    (page) => proven({ show: page }),
  )
}

async function change(site: Site, context: Context): Promise<Proven | null> {
  const { text, limit, records, users } = context
  const signedIn = await context.user()
  const user = signedIn === null ? null : await users.byId(signedIn.id)
  if (signedIn?.isRecent !== true || user === null) return null
  await limit("change", signedIn.id)
  const again = async (error: string) => proven({ show: await changePage(site, context, error) })
  const stored = await records.password.get({ userId: signedIn.id })
  if (stored === null || !(await site.hasher.verify(typed(context, "password"), stored.hash)).isRight)
    return again(text("wrong"))
  const password = typed(context, "newPassword")
  const error = await refusal(site, context, password, user.email)
  if (error !== undefined) return again(error)
  const endOthers = typed(context, "endOthers") !== ""
  const hash = await site.hasher.hash(password)
  return proven({
    user: { ...user, id: signedIn.id },
    carried: { step: "change", hash, epoch: stored.epoch, endOthers },
  })
}
