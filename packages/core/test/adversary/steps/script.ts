import { origins } from "../world/names.js"
import type { World } from "../world/world.js"

export interface Form {
  readonly cookie: string
  readonly fields: Readonly<Record<string, string>>
  readonly address?: string
}

/** The cookies and the token of the attacker's browser. */
export async function formOf({ users }: World): Promise<Form> {
  const { browser } = users.mallory
  const csrfToken = (await browser.csrf()) ?? ""
  const url = new URL("/auth/callback", origins.app)
  const cookie = browser.jar.header({ url, method: "POST", sameSite: true, navigation: true })
  return { cookie, fields: { csrfToken } }
}

/** Posts a form as a script does, from any address. */
export async function post(
  world: World,
  path: string,
  { cookie, fields, address = "203.0.113.1" }: Form,
): Promise<void> {
  const headers = { cookie, "x-forwarded-for": address, origin: origins.app }
  const body = new URLSearchParams(fields)
  await world.send(new Request(`${origins.app}${path}`, { method: "POST", headers, body }))
}
