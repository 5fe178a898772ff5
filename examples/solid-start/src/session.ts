import { action, query, redirect } from "@solidjs/router"
import { getSession, requireSession, signIn, signOut, update } from "./auth"

export const getUser = query(async () => {
  "use server"
  return (await getSession())?.user ?? null
}, "user")

export const getAccount = query(async () => {
  "use server"
  // A link to the page calls this from another page.
  const { user } = await requireSession({ redirectTo: "/account" })
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
  await update({ user: { name: form.get("name")?.toString() } })
  throw redirect("/account", 303)
}, "rename")
