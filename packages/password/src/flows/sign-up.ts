import { typedFields } from "./fields.js"
import { forgotPage, noSignUpPage, sentPage, signUpPage } from "./forms.js"
import { nameBrowser, sendLink } from "./links.js"
import { type Context, idOf, refusal, type Result, type Site, typed, unlessBusy } from "./site.js"

/** POST sign-up. Nothing tells whether the email has a user: the page, the cookies, one hash, one link, one email. */
export async function signUp(site: Site, context: Context): Promise<Result> {
  if (site.signUp !== "open") return noSignUpPage(site, context)
  return unlessBusy(
    context,
    () => startSignUp(site, context),
    (page) => page,
  )
}

async function startSignUp(site: Site, context: Context): Promise<Result> {
  const { users, text } = context
  const given = typed(context, "email")
  const email = users.typedEmail(given)
  const { values: filled, error: wrong } = await typedFields(context, site)
  if (email === null) return signUpPage(site, context, { error: text("invalidEmail"), email: given, filled })
  const password = typed(context, "password")
  const error = wrong ?? (await context.captcha("sign-up")) ?? (await refusal(site, context, password, email))
  if (error !== undefined) return signUpPage(site, context, { error, email, filled })
  const hash = await site.hasher.hash(password)
  const user = await users.byEmail(email)
  const browser = nameBrowser(context)
  const chosen = user === null ? { hash, browser, fields: filled } : {}
  await sendLink(context, { email: user?.email ?? email, user, letter: user === null ? "signUp" : "known", ...chosen })
  await context.emit("sign-up-requested", user && { id: idOf(user) })
  return sentPage(context, email)
}

/** POST forgot. An email without a user gets a link to create an account, if it may. */
export async function forgot(site: Site, context: Context): Promise<Result> {
  const { users, text } = context
  const given = typed(context, "email")
  const email = users.typedEmail(given)
  if (email === null) return forgotPage(context, { error: text("invalidEmail"), email: given })
  const error = await context.captcha("reset")
  if (error !== undefined) return forgotPage(context, { error, email })
  const user = await users.byEmail(email)
  const none = site.signUp === "open" ? "none" : "noAccount"
  await sendLink(context, { email: user?.email ?? email, user, letter: user === null ? none : "reset" })
  await context.emit("reset-requested", user && { id: idOf(user) })
  return sentPage(context, email)
}
