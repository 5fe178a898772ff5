import { type Handle, redirect } from "@sveltejs/kit"
import { sequence } from "@sveltejs/kit/hooks"
import { handle as authenticationHandle } from "./auth"

const authorizationHandle: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith("/private")) {
    const session = await event.locals.auth()
    if (!session) redirect(303, "/login")
  }
  return resolve(event)
}

export const handle: Handle = sequence(authenticationHandle, authorizationHandle)
