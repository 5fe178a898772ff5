import { sha256 } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { newName } from "./codes.js"

const cookie = "place"

/** Seconds. */
const lasts = 3600

/** Names this browser, as far as what a signed-in user began in it goes. A cookie of a random name is set if there's none. */
export async function placeOf({ cookie: read, setCookie, random }: Context): Promise<string> {
  const known = read(cookie)
  const name = known ?? newName(random)
  if (known === undefined) setCookie(cookie, name, lasts)
  return sha256(`browser ${name}`)
}

/** What was begun before a sign-in doesn't go on after it. */
export function forgetPlace({ cookie: read, setCookie }: Context): void {
  if (read(cookie) !== undefined) setCookie(cookie, null)
}
