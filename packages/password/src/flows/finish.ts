import { type Proven, proven } from "@latchkey/core/module"
import { newUserOf, type Typed, typedFields } from "./fields.js"
import { choosePage, confirmPage, deadLinkPage } from "./forms.js"
import { isOfBrowser, type Link, openedLink, useLink, epochOf } from "./links.js"
import { reserve } from "./usernames.js"
import { type Context, idOf, refusal, type Result, type Site, typed, unlessBusy } from "./site.js"

/** GET finish: the page of a link. Nothing is used up, because scanners open links, too. */
export async function finishPage(site: Site, context: Context): Promise<Result> {
  const link = await openedLink(context)
  if (link === null || !(await isCurrent(context, link))) return deadLinkPage(context)
  return isChosen(context, link) ? confirmPage(context, link.email) : choosePage(site, context, link)
}

/** This browser signed up with the link, so it chose the password and typed the fields. */
function isChosen(context: Context, link: Link): link is Link & { readonly hash: string } {
  return link.hash !== undefined && isOfBrowser(context, link)
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
  // A visitor whose username was taken meanwhile chooses all anew.
  const isTyped = typed(context, "newPassword") !== ""
  const chosen =
    !isTyped && isChosen(context, link)
      ? { hash: link.hash, fields: fieldsIn(link) }
      : await choose(site, context, link)
  if ("show" in chosen) return proven(chosen)
  if (!(await reserved(site, context, link, chosen.fields))) {
    const error = context.text("usernameTaken")
    return proven({ show: await choosePage(site, context, link, { error, filled: chosen.fields }) })
  }
  if (!(await useLink(context, link))) return proven({ show: await deadLinkPage(context) })
  return proven({
    mailbox: link.email,
    newUser: newUserOf(chosen.fields),
    carried: carriedWith(site, link, chosen),
  })
}

/** What the sign-in carries until it completes. */
function carriedWith(site: Site, { kind, epoch }: Link, { hash, fields: { username } }: Chosen) {
  const step = kind === "reset" ? "reset" : "sign-up"
  const isInvited = kind === "invitation"
  return { step, hash, epoch, isInvited, ...(site.usernames && username && { username }) }
}

/** Another visitor may have chosen the username since it was typed. */
async function reserved(site: Site, context: Context, link: Link, { username }: Typed): Promise<boolean> {
  if (!site.usernames || link.kind === "reset") return true
  return username !== undefined && reserve(context, username, link.mailbox)
}

interface Chosen {
  readonly hash: string
  readonly fields: Typed
}

async function choose(site: Site, context: Context, link: Link): Promise<{ readonly show: Result } | Chosen> {
  const { values: fields, error: wrong } = link.kind === "reset" ? { values: {} } : await typedFields(context, site)
  const password = typed(context, "newPassword")
  const error = wrong ?? (await refusal(site, context, password, link.email))
  if (error !== undefined) return { show: await choosePage(site, context, link, { error, filled: fields }) }
  return { hash: await site.hasher.hash(password), fields }
}

function fieldsIn({ fields = "{}" }: Link): Typed {
  return JSON.parse(fields) as Typed
}

/** Another tab may have opened another link since the form was shown. */
function isShown(context: Context, { email }: Link): boolean {
  const shown = typed(context, "email")
  return shown === "" || shown === email
}

/** The user still has the email, and the password that they had when the link was sent. */
async function isCurrent(context: Context, { kind, userId, email, epoch }: Link): Promise<boolean> {
  if (kind === "sign-up" && userId === undefined) return true
  const owner = await context.users.byEmail(email)
  if (kind === "invitation") return owner === null
  return owner !== null && idOf(owner) === userId && epoch === (await epochOf(context, userId))
}
