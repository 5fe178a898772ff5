"use server"

import { auth, unstable_update as update } from "@/auth"

export async function rename(form: FormData) {
  const session = await auth()
  if (!session) return
  const renewed = await update({ user: { ...session.user, name: String(form.get("name")) } })
  console.log(renewed?.user?.name)
}

export async function touch() {
  await update({})
  await update({ user: { role: "admin" } })
}
