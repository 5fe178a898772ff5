import { headers } from "next/headers"
import { redirect } from "next/navigation"
import { mfa } from "@/auth"

/** Asks for a second factor that the user proved in the last five minutes. Afterwards, the user is at `path`. */
export async function requireSecondFactor(path: string): Promise<void> {
  const refused = await mfa.require({ headers: await headers(), url: path }, { maxAge: 300 })
  if (refused === null) return
  // The browser opens the page, or a script of Next.js asks for it and gets 401 with the URL.
  const url: string = refused.headers.get("location") ?? (await refused.json()).url
  redirect(url)
}
