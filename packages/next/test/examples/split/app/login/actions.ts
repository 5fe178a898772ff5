"use server"

import { signIn } from "@/auth"
import { AuthError } from "next-auth"

export async function authenticate(_before: string | undefined, form: FormData) {
  try {
    await signIn("credentials", form)
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "That is not your password."
        default:
          return "Something went wrong."
      }
    }
    throw error
  }
}
