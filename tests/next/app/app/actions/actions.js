"use server"

import { auth, signIn, signOut, update } from "../../auth.js"

const ada = { name: "ada", password: "open sesame" }

export async function showUser() {
  return JSON.stringify((await auth())?.user ?? null)
}

export async function setRed() {
  return JSON.stringify(await update({ color: "red" }))
}

export async function signInWithRedirect() {
  await signIn("credentials", { ...ada, redirectTo: "/private?x=1" })
}

export async function signInWithoutRedirect() {
  const to = await signIn("credentials", { ...ada, redirect: false, redirectTo: "/private", unset: undefined })
  // `auth` returns the new session in the same action.
  return JSON.stringify({ to, now: (await auth())?.user.name ?? null })
}

export async function signInWithForm(_, form) {
  return JSON.stringify({ to: await signIn("credentials", form) })
}

export async function signInToPage() {
  return JSON.stringify({
    missing: await signIn(undefined, { redirect: false, redirectTo: "/private" }),
    unknown: await signIn("unknown", { redirect: false, redirectTo: "/private" }),
    op: new URL(await signIn("op", { redirect: false }, { login_hint: "ada" })).searchParams.get("login_hint"),
  })
}

export async function signOutWithRedirect() {
  await signOut({ redirectTo: "/?left" })
}

export async function signOutWithoutRedirect() {
  const to = await signOut({ redirect: false, redirectTo: "/plain" })
  return JSON.stringify({ to, now: (await auth())?.user.name ?? null })
}
