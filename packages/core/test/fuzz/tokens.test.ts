import fc from "fast-check"
import { expect, test } from "vitest"
import { decode, encode, getToken } from "@latchkey/core/jwt"
import { createTokenSealer } from "../../src/crypto/token-sealer.js"
import { type Runtime, systemRuntime } from "../../src/primitives/runtime.js"
import { holds, patience, thrownBy } from "./holds.js"
import { mutatedJson } from "./json.js"
import { header, mutated, nasty, wellFormed } from "./text.js"

const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"
const salt = "authjs.session-token"
const honest = await encode({ token: { sub: "ada", name: "Ada" }, secret, salt })
const [honestHeader = "", , ...honestRest] = honest.split(".")
const base64 = (text: string) => Buffer.from(text).toString("base64url")

const crafted = mutatedJson({ alg: "dir", enc: "A256GCM", kid: JSON.parse(atob(honestHeader)).kid }).map((text) =>
  [base64(text), "", ...honestRest].join("."),
)
/** The token with one changed letter, mostly the last of a part, which has unused bits. */
const spelled = fc
  .tuple(fc.nat(4), fc.nat(3), fc.constantFrom(..."ABCPQRefghuvwxyz0189-_"))
  .map(([part, back, letter]) => {
    const parts = honest.split(".")
    const text = parts[part] ?? ""
    const at = Math.max(0, text.length - 1 - (back > 1 ? back * 7 : 0))
    return parts.with(part, text.slice(0, at) + letter + text.slice(at + 1)).join(".")
  })
const forged = fc.oneof(
  spelled,
  mutated(fc.constant(honest)),
  crafted,
  nasty,
  fc
    .array(fc.oneof(nasty.map(base64), fc.constant("")), { minLength: 4, maxLength: 6 })
    .map((parts) => parts.join(".")),
)

test(
  "a forged token is refused with a typed error",
  () =>
    holds(
      fc.asyncProperty(forged, async (token) => {
        if (token === honest) return
        let opened: unknown = null
        const cause = await thrownBy(async () => {
          opened = await decode({ token, secret, salt })
        })
        expect([token, opened]).toEqual([token, null])
        if (cause !== undefined) expect(cause).toBeInstanceOf(Error)
        expect(cause).not.toBeInstanceOf(RangeError)
      }),
    ),
  patience,
)

const claims = fc.dictionary(
  nasty.filter((key) => !["iat", "exp", "jti", "nbf"].includes(key)),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
  { maxKeys: 5 },
)

test(
  "a token can be decrypted for its own purpose only",
  () =>
    holds(
      fc.asyncProperty(
        claims,
        fc.constantFrom("a", "b", salt),
        fc.constantFrom(true, false),
        async (payload, purpose, keyPerPurpose) => {
          const vault = createTokenSealer({ secrets: [secret], runtime: systemRuntime, keyPerPurpose })
          const token = await vault.seal(purpose, payload, 60)
          const { iat: _, exp: __, jti: ___, ...opened } = (await vault.open(purpose, token)).payload
          expect(JSON.stringify(opened)).toBe(JSON.stringify(JSON.parse(JSON.stringify(payload))))
          expect(await thrownBy(() => vault.open(`${purpose}.`, token))).toBeInstanceOf(Error)
        },
      ),
      0.2,
    ),
  patience,
)

const now = Date.now()
const runtime: Runtime = { ...systemRuntime, now: () => now }

const insides = mutatedJson({ sub: "ada", iat: 1, exp: 9_999_999_999, nbf: 1, jti: "x" })

test(
  "any content of an encrypted token gives an unexpired object or an error",
  () =>
    holds(
      fc.asyncProperty(insides, async (text) => {
        const vault = createTokenSealer({ secrets: [secret], runtime, keyPerPurpose: false })
        const token = await sealText(vault, text)
        let opened: Awaited<ReturnType<typeof vault.open>> | undefined
        const cause = await thrownBy(async () => {
          opened = await vault.open("a", token)
        })
        if (cause !== undefined) expect(cause).toBeInstanceOf(Error)
        else expectUnexpired(opened?.payload)
      }),
      0.2,
    ),
  patience,
)

function expectUnexpired(payload: unknown): void {
  expect(Object.getPrototypeOf(payload)).toBe(Object.prototype)
  const { exp } = payload as { exp?: unknown }
  expect(exp).toSatisfy((seconds) => typeof seconds === "number" && seconds > now / 1000 - 20)
}

/** Encrypts text that `seal` never writes. */
async function sealText(vault: ReturnType<typeof createTokenSealer>, text: string): Promise<string> {
  const original = JSON.stringify
  JSON.stringify = () => text
  try {
    return await vault.seal("a", {}, 60)
  } finally {
    JSON.stringify = original
  }
}

const requests = fc.record(
  {
    cookie: fc.oneof(
      header,
      forged.map((token) => `${salt}=${encodeURIComponent(wellFormed(token))}`),
      fc.constant(`${salt}.0=x`),
    ),
    authorization: fc.oneof(
      header,
      forged.map((token) => `Bearer ${encodeURIComponent(wellFormed(token))}`),
      header.map((each) => `Bearer ${each}`),
    ),
  },
  { requiredKeys: [] },
)

test(
  "getToken returns null for headers without a valid token, and never throws",
  () =>
    holds(
      fc.asyncProperty(requests, fc.boolean(), fc.boolean(), async (given, plain, raw) => {
        const headers = plain ? given : new Headers(given)
        const found = await getToken<boolean>({ req: { headers }, secret, raw })
        if (raw) expect(found === null || (typeof found === "string" && found !== "")).toBe(true)
        else if (!JSON.stringify(given).includes(honest)) expect(found).toBeNull()
      }),
    ),
  patience,
)

test(
  "getToken accepts headers in the shapes of all frameworks",
  () =>
    holds(
      fc.asyncProperty(
        fc.dictionary(nasty, fc.oneof(nasty, fc.constant(undefined), fc.constant(["a"]))),
        async (given) => {
          const headers = given as Record<string, string>
          expect(await getToken({ req: { headers }, secret })).toBeNull()
        },
      ),
      0.5,
    ),
  patience,
)
