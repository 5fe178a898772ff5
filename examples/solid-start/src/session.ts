import { action, query, redirect } from "@solidjs/router"
import { getSession, requireSession, signIn, signOut, update } from "./auth"

export const getUser = query(async () => {
  "use server"
  return (await getSession())?.user ?? null
}, "user")

/** @param page where the user goes after signing in. The browser may still show the page with the link. */
export const getAccount = query(async (page: string) => {
  "use server"
  const { user } = await requireSession({ redirectTo: page })
  return user
}, "account")

export const signInAction = action(async () => {
  "use server"
  await signIn(undefined, { redirectTo: "/account" })
}, "sign-in")

export const passwordAction = action(async (form: FormData) => {
  "use server"
  await signIn("credentials", form)
}, "password")

export const signOutAction = action(async () => {
  "use server"
  await signOut({ redirectTo: "/" })
}, "sign-out")

export const renameAction = action(async (form: FormData) => {
  "use server"
  await requireSession()
  const name = form.get("name")
  await update({ user: { name: typeof name === "string" ? name : null } })
  throw redirect("/account", 303)
}, "rename")
