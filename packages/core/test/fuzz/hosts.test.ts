import fc from "fast-check"
import { expect, test } from "vitest"
import { canonicalEmail, profileEmail, sameMailbox, spellingsOf, typedEmail } from "../../src/http/email-address.js"
import { UntrustedHost } from "../../src/errors.js"
import { resolveOrigin } from "../../src/http/origin.js"
import { canonicalIp, clientIp } from "../../src/http/client-ip.js"
import { emailIdentifier, normalIdentifier } from "../../src/limits/one-spelling.js"
import { host, mailbox, network } from "./addresses.js"
import { holds, patience } from "./holds.js"
import { headerText, nasty } from "./text.js"

test(
  "an email address has one canonical form or is refused",
  () =>
    holds(
      fc.property(mailbox, fc.boolean(), (typed, asciiEmails) => {
        let email: string
        try {
          email = typedEmail(typed, { asciiEmails })
        } catch (cause) {
          expect(String(cause)).toContain("isn't a plain email address")
          return
        }
        expect(typedEmail(email, { asciiEmails })).toBe(email)
        expect(email.length).toBeLessThanOrEqual(254)
        expect(email).toMatch(/^[^\s@,;:<>()[\]"\\\p{Cc}\p{Cf}]+@[^\s@,;:<>()[\]"\\/?#\p{Cc}\p{Cf}]+$/u)
        expect(sameMailbox(canonicalEmail(email), email)).toBe(true)
        if (!asciiEmails) return
        expect(email).toMatch(/^[a-z0-9#$&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)
        expect(canonicalEmail(email)).toBe(email)
        const [, name = ""] = email.split("@")
        expect(new URL(`https://${name}`).hostname).toBe(name)
      }),
    ),
  patience,
)

test(
  "an email that isn't in a profile's text doesn't come out of it",
  () =>
    holds(
      fc.property(mailbox, fc.boolean(), (given, asciiEmails) => {
        const email = profileEmail(given, { asciiEmails })
        if (email === undefined || !email.includes("@")) return
        expect(sameMailbox(given, email)).toBe(true)
        if (!asciiEmails) expect(email).toBe(given.toLowerCase())
        expect(email).not.toMatch(/[\p{Cc}\p{Cf},;<>]|@.*@/u)
        expect(spellingsOf(email).has(canonicalEmail(given))).toBe(true)
      }),
    ),
  patience,
)

test(
  "the rate-limit key of an account is the same for every spelling",
  () =>
    holds(
      fc.property(mailbox, (typed) => {
        const name = normalIdentifier(typed)
        for (const spelling of spellingsOf(typed)) expect(emailIdentifier(spelling)).toBe(emailIdentifier(typed))
        expect(normalIdentifier(name)).toBe(name)
        expect(normalIdentifier(` ${typed.toUpperCase().toLowerCase()}\u00ad`)).toBe(
          normalIdentifier(typed.toUpperCase().toLowerCase()),
        )
      }),
    ),
  patience,
)

test(
  "a client address has one form or none, which is no other client's",
  () =>
    holds(
      fc.property(network, (text) => {
        const address = canonicalIp(text)
        if (address === undefined) return
        expect(address).toMatch(/^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{1,4}(?::[\da-f]{1,4}){3}::\/64)$/)
        if (!address.endsWith("/64")) expect(canonicalIp(address)).toBe(address)
      }),
    ),
  patience,
)

test(
  "a valid client address is never lost",
  () =>
    holds(
      fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
        expect(canonicalIp(four)).toBe(four)
        expect(canonicalIp(six)).toEqual(expect.any(String))
        expect(canonicalIp(`[${six}]:443`)).toBe(canonicalIp(six))
        expect(canonicalIp(`::ffff:${four}`)).toBe(four)
      }),
    ),
  patience,
)

test(
  "any forwarded header gives a client address from the header, or none",
  () =>
    holds(
      fc.property(
        fc.array(network, { maxLength: 4 }),
        network,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (chain, peer, trustedProxies, behindProxy) => {
          const headers = new Headers({ "x-forwarded-for": headerText(chain.join(",")) })
          const options = { trustedProxies, address: undefined } as { trustedProxies: number }
          const found = clientIp({ headers, peer, options, behindProxy })
          const named = [peer, ...(headers.get("x-forwarded-for") ?? "").split(",")].map(canonicalIp)
          if (found !== undefined) expect(named).toContain(found)
        },
      ),
    ),
  patience,
)

const security = { listedOriginsOnly: false }

const trusted: readonly (readonly string[])[] = [
  ["app.test"],
  ["*.app.test", "https://app.test"],
  ["app.test:8443"],
  ["http://[::1]:3000", "localhost:3000"],
]

test(
  "no header gives an origin that isn't listed",
  () =>
    holds(
      fc.property(
        host,
        fc.oneof(fc.constantFrom("https", "http", "https, http"), nasty),
        fc.constantFrom(...trusted),
        fc.constantFrom("https://app.test", "http://evil.test", "http://[::1]:3000"),
        (name, scheme, trustHost, own) => {
          const headers = new Headers({
            "x-forwarded-host": headerText(name),
            "x-forwarded-proto": headerText(scheme),
            host: headerText(name),
          })
          for (const listed of [trustHost, true] as const) {
            try {
              const origin = resolveOrigin({ origin: undefined, trustHost: listed, security }, { own, headers })
              expect(new URL(origin).origin).toBe(origin)
              expect(origin).toMatch(/^https?:\/\/[^/@?#\\\s]+$/)
              const [named = ""] = (headers.get("x-forwarded-host") ?? "").split(",")
              expect(named.trim()).not.toMatch(/[@/\\?#%\s]/)
              if (listed !== true) expect(isListed(new URL(origin), listed)).toBe(true)
            } catch (cause) {
              if (!(cause instanceof UntrustedHost)) throw cause
            }
          }
        },
      ),
    ),
  patience,
)

/** Compares parsed parts instead of text, as a second implementation of the list. */
function isListed({ protocol, hostname, port }: URL, list: readonly string[]): boolean {
  const parent = hostname.replace(/^[^.]+\./, "")
  const ports = port === "" ? ["", protocol === "https:" ? ":443" : ":80"] : [`:${port}`]
  const bare = [hostname, ...(parent === hostname ? [] : [`*.${parent}`])]
  const forms = bare.flatMap((name) => [
    name,
    ...ports.flatMap((end) => [`${name}${end}`, `${protocol}//${name}${end}`]),
  ])
  return list.some((entry) => forms.includes(entry))
}
