"use server"

import { AuthError } from "@latchkey/next"
import { requireSession, signIn, signOut, update, validName } from "@/auth"
import { store } from "@/store"

/** The state of a form whose action didn't redirect. */
export type FormState = { readonly error?: string; readonly success?: string } | undefined

export async function signInWithPassword(_previous: FormState, form: FormData): Promise<FormState> {
  try {
    return await signIn("credentials", form)
  } catch (error) {
    // Redirects are thrown too. Rethrow them.
    if (!(error instanceof AuthError)) throw error
    return { error: messageFor(error) }
  }
}

export async function signInWithEmail(_previous: FormState, form: FormData): Promise<FormState> {
  try {
    return await signIn("email", form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return { error: messageFor(error) }
  }
}

export async function signInWith(provider: string, form: FormData): Promise<void> {
  await signIn(provider, form)
}

export async function signOutAction(): Promise<void> {
  await signOut({ redirectTo: "/" })
}

export async function rename(_previous: FormState, form: FormData): Promise<FormState> {
  const { user } = await requireSession()
  const name = validName(form.get("name"))
  if (name === undefined) return { error: "Enter a name of up to 60 characters." }
  await store().rename(user.id, name)
  // Also update the session cookie. This calls the `jwt` callback with the trigger "update".
  await update({ user: { name } })
  return { success: `Your name is now ${name}.` }
}

function messageFor({ type }: AuthError): string {
  if (type === "CredentialsSignin") return "Incorrect email or password."
  if (type === "RateLimited") return "Too many attempts. Try again in a few minutes."
  return "Something went wrong. Please try again."
}
