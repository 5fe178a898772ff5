"use server"

import { AuthError, CredentialsSignin } from "@latchkey/next"
import { signIn } from "../../auth.js"

export async function withPassword(_, form) {
  try {
    await signIn("credentials", form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const { type, code } = error
    return JSON.stringify({ type, code, isCredentialsSignin: error instanceof CredentialsSignin })
  }
}

export async function withEmail(form) {
  await signIn("email", form)
}

export async function withProvider() {
  await signIn("op", {}, { prompt: "login" })
}
