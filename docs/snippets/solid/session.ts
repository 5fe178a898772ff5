import { action, query } from "@solidjs/router"
import { getSession, signIn, signOut } from "./auth"

export const getUser = query(async () => (await getSession())?.user ?? null, "user")
export const signInWithGitHub = action(async () => signIn("github", { redirectTo: "/account" }))
export const leave = action(async () => signOut({ redirectTo: "/" }))
