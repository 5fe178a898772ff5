import { type Proven, proven } from "@latchkey/core/module"
import { choosePage, confirmPage, deadLinkPage } from "./forms.js"
import { isOfBrowser, type Link, openedLink, useLink, epochOf } from "./links.js"
import { type Context, idOf, refusal, type Result, type Site, typed, unlessBusy } from "./site.js"

/** GET finish: the page of a link. Nothing is used up, because scanners open links, too. */
export async function finishPage(site: Site, context: Context): Promise<Result> {
  const link = await openedLink(context)
  if (link === null || !(await isCurrent(context, link))) return deadLinkPage(context)
  const { hash, email } = link
  return hash !== undefined && isOfBrowser(context, link)
    ? confirmPage(context, email)
    : choosePage(site, context, email)
}

/** The visitor follows a link, which proves the mailbox, and chooses a password unless this browser did so at the sign-up. */
export async function proveLink(site: Site, context: Context): Promise<Proven> {
  return unlessBusy(
    context,
    () => finish(site, context),
    (page) => proven({ show: page }),
  )
}

async function finish(site: Site, context: Context): Promise<Proven> {
  const link = await openedLink(context)
  if (link === null || !isShown(context, link) || !(await isCurrent(context, link)))
    return proven({ show: await deadLinkPage(context) })
  const chosen =
    link.hash !== undefined && isOfBrowser(context, link) ? { hash: link.hash } : await choose(site, context, link)
  if ("show" in chosen) return proven(chosen)
  if (!(await useLink(context, link))) return proven({ show: await deadLinkPage(context) })
  const { kind, email, epoch } = link
  return proven({ mailbox: email, carried: { step: kind, hash: chosen.hash, epoch } })
}

async function choose(site: Site, context: Context, { email }: Link): Promise<{ show: Result } | { hash: string }> {
  const password = typed(context, "newPassword")
  const error = await refusal(site, context, password, email)
  if (error !== undefined) return { show: await choosePage(site, context, email, error) }
  return { hash: await site.hasher.hash(password) }
}

/** Another tab may have opened another link since the form was shown. */
function isShown(context: Context, { email }: Link): boolean {
  const shown = typed(context, "email")
  return shown === "" || shown === email
}

/** The user still has the email, and the password that they had when the link was sent. */
async function isCurrent(context: Context, { userId, email, epoch }: Link): Promise<boolean> {
  if (userId === undefined) return true
  const owner = await context.users.byEmail(email)
  return owner !== null && idOf(owner) === userId && epoch === (await epochOf(context, userId))
}
