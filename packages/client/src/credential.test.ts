import fc from "fast-check"
import { expect, test } from "vitest"
import { fromBase64url, toBase64url, withBuffers, withText } from "./credential.js"

const bytes = (...values: number[]) => Uint8Array.from(values).buffer

test("base64url matches Node.js in both directions, for all bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const text = Buffer.from(array).toString("base64url")
      expect(toBase64url(Uint8Array.from(array).buffer)).toBe(text)
      expect(new Uint8Array(fromBase64url(text))).toEqual(Uint8Array.from(array))
    }),
  )
})

test("text that isn't base64url throws", () => {
  expect(() => fromBase64url("a*b")).toThrow()
})

test("only the binary members of options become buffers", () => {
  const options = {
    challenge: "AQID",
    rp: { id: "AQID", name: "id" },
    user: { id: "BA", name: "ada", displayName: "Ada" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    excludeCredentials: [{ id: "BQ", type: "public-key", transports: ["usb"] }],
    timeout: 60_000,
    rpId: "AQID",
  }
  expect(withBuffers(options)).toEqual({
    ...options,
    challenge: bytes(1, 2, 3),
    user: { id: bytes(4), name: "ada", displayName: "Ada" },
    excludeCredentials: [{ id: bytes(5), type: "public-key", transports: ["usb"] }],
  })
})

test("every buffer in a credential becomes text", () => {
  const credential = {
    id: "AQ",
    rawId: bytes(1),
    response: { transports: ["usb"], userHandle: null, list: [bytes(255)] },
  }
  expect(withText(credential)).toEqual({
    id: "AQ",
    rawId: "AQ",
    response: { transports: ["usb"], userHandle: null, list: ["_w"] },
  })
})
