import fc from "fast-check"
import { origins } from "../world/names.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

const host = new URL(origins.foreign).host

/** Ways to name the attacker's host. */
const ways = {
  url: { origin: origins.foreign, headers: {} },
  header: { origin: origins.app, headers: { "x-forwarded-host": host } },
  deployment: { origin: origins.foreign, headers: { "x-vercel-deployment-url": host } },
} as const

export const foreignPreview = steps({
  does: "the attacker starts a sign-in at a preview deployment under the attacker's host",
  data: fc.constantFrom("url" as const, "header" as const, "deployment" as const),
  async run(world, way) {
    const { origin, headers } = ways[way]
    const { csrfToken, cookie } = await formOf(world, origin, headers)
    const answer = await world.preview(
      new Request(`${origin}/auth/signin/op`, {
        method: "POST",
        headers: { ...headers, cookie, origin: origins.foreign, "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ csrfToken }),
      }),
    )
    const to = answer.headers.get("location") ?? ""
    if (to.startsWith(`${origins.op}/authorize`) && new URL(to).searchParams.has("state"))
      throw new Violation("redirect-allowed", `The redirect proxy would send the code to ${host}`)
  },
})

async function formOf({ preview }: World, origin: string, headers: Readonly<Record<string, string>>) {
  const response = await preview(new Request(`${origin}/auth/csrf`, { headers }))
  const csrfToken = /"csrfToken":"(\w+)"/.exec(await response.text())?.[1] ?? ""
  const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0])
  return { csrfToken, cookie: cookie.join("; ") }
}
