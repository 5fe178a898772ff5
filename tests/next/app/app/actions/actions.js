"use server"

import { auth, signIn, signOut, update } from "../../auth.js"

const ada = { name: "ada", password: "open sesame" }

export async function whoActs() {
  return JSON.stringify((await auth())?.user ?? null)
}

export async function paint() {
  return JSON.stringify(await update({ color: "red" }))
}

export async function enter() {
  await signIn("credentials", { ...ada, redirectTo: "/private?x=1" })
}

export async function enterQuietly() {
  const to = await signIn("credentials", { ...ada, redirect: false, redirectTo: "/private", forgotten: undefined })
  // The session that was just made is known at once.
  return JSON.stringify({ to, now: (await auth())?.user.name ?? null })
}

export async function enterQuietlyByForm(_, form) {
  return JSON.stringify({ to: await signIn("credentials", form) })
}

export async function nowhere() {
  return JSON.stringify({
    unnamed: await signIn(undefined, { redirect: false, redirectTo: "/private" }),
    unknown: await signIn("nobody", { redirect: false, redirectTo: "/private" }),
    op: new URL(await signIn("op", { redirect: false }, { login_hint: "ada" })).searchParams.get("login_hint"),
  })
}

export async function leave() {
  await signOut({ redirectTo: "/?left" })
}

export async function leaveQuietly() {
  const to = await signOut({ redirect: false, redirectTo: "/plain" })
  return JSON.stringify({ to, now: (await auth())?.user.name ?? null })
}
