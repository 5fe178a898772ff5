import { redirect, type RequestEvent } from "@sveltejs/kit"
import { mfa } from "./auth"

/** Asks for a second factor that the user proved in the last five minutes. Afterwards, the user is at `path`. */
export async function requireSecondFactor({ request: { headers } }: RequestEvent, path: string): Promise<void> {
  const refused = await mfa.require({ headers, url: path }, { maxAge: 300 })
  if (refused === null) return
  // The browser opens the page, or a script of SvelteKit asks for it and gets 401 with the URL.
  const url: string = refused.headers.get("location") ?? (await refused.json()).url
  redirect(303, url)
}
