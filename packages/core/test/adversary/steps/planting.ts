import fc from "fast-check"
import { type Name, origins, victims } from "../world/names.js"
import { isHostBound, type Settings } from "../world/settings.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

/** Which name a planted cookie has: the same, or one that an older or less strict configuration reads. */
const renamed = {
  same: (name: string) => name,
  secure: (name: string) => name.replace(/^__Host-/, "__Secure-"),
  bare: (name: string) => name.replace(/^__(?:Host|Secure)-/, ""),
  version4: (name: string) => name.replace(/^__(?:Host|Secure)-authjs/, "__Secure-next-auth"),
} as const

export const plantOwnCookies = steps({
  does: "a page of a sibling domain, or a response without TLS, puts the attacker's cookies into a user's browser",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    name: fc.constantFrom("same" as const, "secure" as const, "bare" as const, "version4" as const),
    from: fc.constantFrom("sibling" as const, "plain" as const),
    path: fc.constantFrom("/", "/auth", "/auth/callback"),
  }),
  async run(world, data) {
    plant(world, data)
  },
})

interface Planting {
  readonly victim: Name
  readonly name: keyof typeof renamed
  readonly from: "sibling" | "plain"
  readonly path: string
}

/** Puts all cookies of the attacker's browser into a user's browser, if that accepts them. */
export function plant({ settings, users }: World, { victim, name, from, path }: Planting): void {
  // Without a prefix, a planted CSRF cookie may hide the user's own one.
  users[victim].isDisturbed ||= settings.plainCsrf
  const own = users.mallory.browser.cookies.filter((cookie) => isHarmful(settings, cookie.name))
  const secure = from === "sibling" ? "; Secure; Domain=example.test" : ""
  const lines = own.map((cookie) => `${renamed[name](cookie.name)}=${cookie.value}; Path=${path}${secure}`)
  const url = new URL(from === "sibling" ? origins.sibling : origins.plain)
  users[victim].browser.jar.store(lines, { url, method: "GET", sameSite: true, navigation: true })
}

/**
 * Without `__Host-`, a sibling domain can plant a session. So it can plant one from before the switch to strict while those
 * are accepted. docs/security/hardening.md says so.
 */
function isHarmful(settings: Settings, name: string): boolean {
  return !name.includes("session-token") || (isHostBound(settings) && settings.former !== "open")
}

export const plantGarbage = steps({
  does: "a page of a sibling domain fills a user's browser with cookies",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    count: fc.constantFrom(1, 40, 300),
    length: fc.constantFrom(3, 60),
  }),
  async run(world: World, { victim, count, length }) {
    const use = { url: new URL(origins.sibling), method: "GET", sameSite: true, navigation: true }
    const lines = Array.from({ length: count }, (_, index) => `junk${index}=${"x".repeat(length)}; Domain=example.test`)
    world.users[victim].isDisturbed = true
    world.users[victim].browser.jar.store(lines, use)
  },
})
