"use server"

import { AuthError } from "@latchkey/next"
import { redirect } from "next/navigation"
import { signIn, signOut, update } from "../auth"

export async function start(): Promise<void> {
  await signIn(undefined, { redirectTo: "/account" })
}

export async function leave(): Promise<void> {
  await signOut({ redirectTo: "/" })
}

export async function rename(form: FormData): Promise<void> {
  await update({ user: { name: String(form.get("name")) } })
  redirect("/account")
}

export async function enter(form: FormData): Promise<void> {
  const callbackUrl = String(form.get("callbackUrl"))
  try {
    await signIn("credentials", { email: form.get("email"), password: form.get("password"), redirectTo: callbackUrl })
  } catch (error) {
    // Redirects are thrown too.
    if (!(error instanceof AuthError)) throw error
    redirect(`/sign-in?${new URLSearchParams({ error: error.type, callbackUrl })}`)
  }
}
