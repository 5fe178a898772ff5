import { type Fault, faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { outcome } from "../flows/oauth/app.js"
import { advertising, encoded, macOf, penOf, publishing, withSignature } from "./keys-setup.js"
import { expectAccepted, expectRefused, storedRows, world } from "./openid-setup.js"

const own = await penOf("RS256", "own")
const stray = await penOf("RS256", "stray")
const curve = await penOf("ES256", "curve")

function handing(token: NonNullable<Fault["idToken"]>, ...more: readonly Fault[]): Fault {
  return Object.assign({}, ...more, { idToken: token })
}

attack("OIDC-06", "a token without a key id is verified with the only key", async (mode) => {
  await expectAccepted(mode, faults.noKid)
  await expectAccepted(
    mode,
    handing(({ claims }) => own.write({ kid: undefined }, claims), publishing(own)),
  )
  await expectRefused(
    mode,
    handing(({ claims }) => stray.write({ kid: undefined }, claims)),
  )
  await expectRefused(
    mode,
    handing(({ header, claims }) => ({ header: { ...header, kid: undefined }, claims, key: "stray" })),
  )
})

attack("OIDC-07", "a token without a key id is refused where several keys could have signed it", async (mode) => {
  for (const token of [own, await penOf("RS256", "second"), await penOf("RS256", "third"), stray]) {
    const its = await world(mode)
    its.op.inject(
      publishing(own, await penOf("RS256", "second"), await penOf("RS256", "third")),
      handing(({ claims }) => token.write({ kid: undefined }, claims)),
    )
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(outcome(its.browser)).toBe("Configuration")
    expect(storedRows(its.adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  }
})

attack("OIDC-07", "of several keys the one for the algorithm is used, and never an embedded one", async (mode) => {
  const keys = publishing(curve, own)
  await expectAccepted(
    mode,
    handing(({ claims }) => own.write({ kid: undefined }, claims), keys),
  )
  for (const header of [{ kid: undefined }, { kid: "own" }, { kid: "curve" }, { kid: null }, { kid: "" }, { kid: 1 }]) {
    await expectRefused(
      mode,
      handing(({ claims }) => stray.write(header, claims)),
    )
  }
  await expectRefused(
    mode,
    handing(({ claims }) => curve.write({ kid: undefined, alg: "RS256" }, claims)),
  )
})

attack(
  "OIDC-09",
  "an unsigned ID token is refused, whatever the metadata allow and in every spelling of `none`",
  async (mode) => {
    const advertised = [undefined, ["RS256", "none"], ["none"], ["None", "NONE", "", "RS256"], []] as const
    for (const algorithms of advertised) {
      const metadata = algorithms === undefined ? {} : advertising(...algorithms)
      for (const alg of ["none", "None", "NONE", "nOnE", "", null, undefined, ["none"]]) {
        const bare = handing(({ claims }) => `${encoded({ alg, typ: "JWT" })}.${encoded(claims)}.`, metadata)
        const signed = handing(({ claims }) => own.write({ alg }, claims), metadata, publishing(own))
        for (const fault of [bare, signed]) await expectNone(mode, fault)
      }
    }
    await expectRefused(mode, faults.algNone)
    await expectRefused(mode, faults.algNoneAdvertised)
  },
)

async function expectNone(mode: Parameters<typeof world>[0], ...told: readonly Fault[]): Promise<void> {
  const its = await world(mode)
  its.op.inject(...told)
  await its.browser.signInWith(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("Configuration")
  expect([await its.browser.session(), its.adapter.rows().users]).toEqual([null, []])
}

attack("OIDC-09", "an unsigned ID token is refused when the provider publishes no keys, too", async (mode) => {
  for (const metadata of [[], [advertising("none")], [advertising("RS256", "none")]]) {
    await expectNone(mode, faults.noJwksUri, faults.algNone, ...metadata)
  }
})

attack("OIDC-09", "an application cannot configure unsigned ID tokens", async (mode) => {
  const its = await world(mode, { provider: { client: { id_token_signed_response_alg: "none" } } })
  its.op.inject(faults.algNone)
  await its.browser.signInWith(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("Configuration")
  expect(storedRows(its.adapter)).toEqual({ users: [], accounts: [], sessions: [] })
})

attack("OIDC-29", "an HMAC is refused unless configured, even one with the client secret", async (mode) => {
  const advertised = advertising("RS256", "HS256", "HS384", "HS512")
  for (const key of ["own", "stray", "published"] as const) {
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const long = { clientSecret: "x".repeat(64) }
      const fault = handing(({ header, claims }) => ({ header: { ...header, alg }, claims, key }), advertised)
      await expectRefused(mode, fault, { op: long })
    }
  }
  for (const metadata of [advertising("HS256"), {}]) {
    await expectNone(
      mode,
      handing(({ header, claims }) => ({ header: { ...header, alg: "HS256" }, claims }), metadata),
    )
  }
})

attack("OIDC-29", "with a configured HMAC only one with the client secret is accepted", async (mode) => {
  const agreed = { op: { algorithm: "HS256" } } as const
  await expectAccepted(mode, {}, agreed)
  for (const secret of ["", "wrong", "latchkey", "undefined"]) {
    await expectRefused(
      mode,
      handing(({ header, claims }) => macked({ header, claims }, secret)),
      agreed,
    )
  }
  for (const change of [
    (mac: Uint8Array) => mac.subarray(0, 16),
    () => "",
    (mac: Uint8Array) => Buffer.concat([mac, mac]),
  ]) {
    const fault = handing(async ({ header, claims }) => withSignature(macked({ header, claims }, secretOfOp), change))
    await expectRefused(mode, fault, agreed)
  }
  const other = handing(({ claims }) => own.write({}, claims), publishing(own), advertising("RS256", "HS256"))
  await expectRefused(mode, other, agreed)
})

const secretOfOp = "fake-client-secret-of-forty-three-characters"

function macked({ header, claims }: { header: object; claims: object }, secret: string): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${macOf(text, secret)}`
}

/** Invalid ECDSA signatures that some libraries have accepted. */
const forgeries: readonly (readonly [string, (honest: Uint8Array) => Uint8Array | string])[] = [
  ["a flipped bit", (honest) => Buffer.from(honest.map((byte, at) => (at === 5 ? byte ^ 1 : byte)))],
  ["r = s = 0 (CVE-2022-21449)", () => Buffer.alloc(64)],
  ["nothing", () => ""],
  ["one half", (honest) => honest.subarray(0, 32)],
  ["too much", (honest) => Buffer.concat([honest, Buffer.alloc(1)])],
  ["r and s in each other's place", (honest) => Buffer.concat([honest.subarray(32), honest.subarray(0, 32)])],
  ["no base64url", () => "!!!!"],
]

attack("OIDC-30", "an ES256 signature of another key is refused", async (mode) => {
  const setting = { op: { algorithm: "ES256" } } as const
  await expectAccepted(mode, {}, setting)
  await expectAccepted(
    mode,
    handing(({ claims }) => curve.write({}, claims), publishing(curve)),
    setting,
  )
  await expectRefused(mode, faults.badSignature, setting)
  for (const [, change] of forgeries) {
    await expectRefused(
      mode,
      handing(({ claims }) => withSignature(curve.write({}, claims), change)),
      setting,
    )
    await expectNone(
      mode,
      advertising("ES256"),
      publishing(curve),
      handing(({ claims }) => withSignature(curve.write({}, claims), change)),
    )
  }
  const twisted = handing(({ claims }) => withSignature(curve.write({}, { ...claims, sub: "grace" }), (mac) => mac))
  await expectRefused(mode, twisted, setting)
})

attack("OIDC-30", "claims changed after signing are refused, with ECDSA as with RSA", async (mode) => {
  for (const pen of [own, curve]) {
    const swapped = handing(({ claims }) => {
      const [header, , signature] = pen.write({}, claims).split(".")
      return `${header}.${encoded({ ...claims, sub: "grace" })}.${signature}`
    })
    await expectNone(mode, advertising(pen.alg), publishing(pen), swapped)
  }
})

attack("OIDC-30", "a key inside the token, or one that it links to, is not used", async (mode) => {
  const headers = [
    { jwk: stray.published },
    { jku: "https://evil.test/jwks", jwk: stray.published },
    { x5u: "https://evil.test/cert", x5c: ["MIIB"] },
    { kid: "../../etc/passwd" },
  ]
  for (const header of headers) {
    const { op } = await expectRefused(
      mode,
      handing(({ claims }) => stray.write({ kid: "own", ...header }, claims)),
    )
    expect(op.requestsTo("elsewhere")).toEqual([])
  }
})
