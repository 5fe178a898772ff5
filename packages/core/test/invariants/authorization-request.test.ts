import fc from "fast-check"
import type { OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { start } from "../../src/features/oauth/oauth.js"
import { findFlow } from "../../src/features/oauth/flow.js"
import { holds, patience } from "../fuzz/holds.js"
import { unit } from "../methods/oauth/unit.js"
import { frozenClock } from "@latchkey/testing"

const mode = fc.constantFrom<SecurityMode>("compatible", "strict")
const known = fc.constantFrom("acr_values", "max_age", "prompt", "hd", "organization", "connection", "claims", "Brand")
const name = fc.oneof(known, fc.stringMatching(/^[a-z][a-zA-Z_.-]{0,12}$/), fc.string({ minLength: 1, maxLength: 12 }))
/** Values of the site and of the browser never coincide. */
const params = (origin: string) =>
  fc.dictionary(
    name,
    fc.string({ maxLength: 8 }).map((text) => `${origin}${text}`),
    { maxKeys: 5 },
  )

/** How a browser may spell a name of the site. */
const respelled = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `${name}[]`,
  (name) => `${name}[0]`,
  (name) => ` ${name}`,
  (name) => name.replaceAll("_", "."),
  (name) => name.replaceAll("_", "%5F"),
)

/** The parameters that every request has. */
const protocol = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
]

async function begun(
  authorization: OIDCConfig["authorization"],
  query: Record<string, string>,
  security: SecurityMode,
) {
  const its = unit({ authorization }, frozenClock(), security)
  const outcome = await start(its.auth, its.provider, its.incoming({ method: "POST", query }))
  if (outcome.kind !== "redirect") throw new Error("the sign-in leads nowhere")
  const { searchParams } = new URL(outcome.to)
  const flow = await findFlow(its.auth, its.provider, its.incoming({ cookies: outcome.cookies }), {
    state: searchParams.get("state") ?? "",
  })
  return { searchParams, flow }
}

const url = "https://op.test/authorize"

test(
  "every parameter of the site is sent exactly as configured, whatever a browser adds",
  () =>
    holds(
      fc.asyncProperty(
        params("site"),
        params("browser"),
        respelled,
        fc.boolean(),
        mode,
        async (site, extra, spell, inUrl, security) => {
          const own = Object.fromEntries(Object.entries(site).filter(([name]) => !protocol.includes(name)))
          const authorization = inUrl ? `${url}?${new URLSearchParams(own)}` : { url, params: own }
          const attacks = Object.fromEntries(Object.keys(own).map((name) => [spell(name), "browser"]))
          const alone = await begun(authorization, {}, security)
          const both = await begun(authorization, { ...extra, ...attacks }, security)
          for (const name of Object.keys(own)) {
            expect(both.searchParams.getAll(name)).toEqual(alone.searchParams.getAll(name))
            if (spell(name) !== name && /[a-z\d]/i.test(name))
              expect(both.searchParams.has(spell(name)) && !alone.searchParams.has(spell(name))).toBe(false)
          }
          expect(protocol.map((name) => both.searchParams.getAll(name).length)).toEqual(
            protocol.map((name) => alone.searchParams.getAll(name).length),
          )
          for (const name of ["response_type", "client_id", "redirect_uri"]) {
            expect(both.searchParams.get(name)).toBe(alone.searchParams.get(name))
          }
        },
      ),
      0.3,
    ),
  patience,
)

const requirement = fc.record(
  { acr_values: fc.constantFrom("phr", "phr phrh"), max_age: fc.constantFrom("0", "60") },
  { requiredKeys: [] },
)

test(
  "the sealed requirement is that of the site, whatever a browser adds",
  () =>
    holds(
      fc.asyncProperty(
        requirement,
        params("browser"),
        fc.dictionary(known, fc.constantFrom("pwd", "9999999999")),
        async (site, extra, asked) => {
          const alone = await begun({ url, params: site }, {}, "compatible")
          const both = await begun({ url, params: site }, { ...extra, ...asked }, "compatible")
          expect(both.flow.requires).toEqual(alone.flow.requires)
          const strict = await begun({ url, params: site }, { ...extra, ...asked }, "strict")
          // A browser may ask for more under strict, never for something else.
          expect(strict.flow.requires).toMatchObject(alone.flow.requires ?? {})
        },
      ),
      0.2,
    ),
  patience,
)
