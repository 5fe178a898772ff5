"use server"

import { AuthError } from "@latchkey/next"
import { requireSession, signIn, signOut, update, validName } from "@/auth"
import { store } from "@/store"

/** What a form is told when its action did not lead elsewhere. */
export type Outcome = { readonly problem?: string; readonly done?: string } | undefined

export async function signInWithPassword(_before: Outcome, form: FormData): Promise<Outcome> {
  try {
    return await signIn("credentials", form)
  } catch (error) {
    // A redirect is thrown as well: it must go on.
    if (!(error instanceof AuthError)) throw error
    return { problem: explain(error) }
  }
}

export async function signInWithMail(_before: Outcome, form: FormData): Promise<Outcome> {
  try {
    return await signIn("mail", form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return { problem: explain(error) }
  }
}

export async function signInWith(provider: string, form: FormData): Promise<void> {
  await signIn(provider, form)
}

export async function leave(): Promise<void> {
  await signOut({ redirectTo: "/" })
}

export async function rename(_before: Outcome, form: FormData): Promise<Outcome> {
  const { user } = await requireSession()
  const name = validName(form.get("name"))
  if (name === undefined) return { problem: "A name has between 1 and 60 characters." }
  await store().rename(user.id, name)
  // The session in the cookie gets it too (callback `jwt`, trigger "update").
  await update({ user: { name } })
  return { done: `You are ${name} from now on.` }
}

function explain({ type }: AuthError): string {
  if (type === "CredentialsSignin") return "That is not the password for this address."
  if (type === "RateLimited") return "Too many attempts: wait a few minutes."
  return "That did not work. Please try again."
}
