"use server"

import { signIn } from "../../auth"

export async function chooseMethod() {
  await signIn("passkey", { redirectTo: "/private" })
}
