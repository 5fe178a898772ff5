"use server"

import { AuthError, CredentialsSignin } from "next-auth"
import { redirect } from "next/navigation"
import { auth, signIn, signOut, updateSession } from "./auth"

export async function authenticate(_: string | undefined, formData: FormData) {
  try {
    await signIn("credentials", formData)
  } catch (error) {
    if (error instanceof CredentialsSignin) return error.code
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "Invalid credentials."
        case "AccessDenied":
          return error.cause?.err?.message
        default:
          return "Something went wrong."
      }
    }
    throw error
  }
}

export async function login(values: { email: string; password: string }, callbackUrl?: string | null) {
  await signIn("credentials", { ...values, redirectTo: callbackUrl || "/settings" })
  const url: string = await signIn("github", { redirect: false }, { prompt: "select_account" })
  return redirect(url)
}

export const loginWith = async (provider: string) => signIn(provider, { redirectTo: "/" })
export const githubForm = signIn.bind(null, "github", { redirectTo: "/" })

export async function logout() {
  await updateSession({ user: { name: "New name" } })
  const session = await auth()
  const id: string | undefined = session?.user.id
  console.log(id, session?.user?.image, session?.expires)
  await signOut({ redirectTo: "/", redirect: true })
}
