import { oneTimeCode } from "@latchkey/testing"
import { expect, test } from "vitest"

/** "12345678901234567890" of RFC 6238, Appendix B. */
const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code after %i seconds is the one of RFC 6238", (seconds, code) => {
  expect(oneTimeCode(key, seconds * 1000)).toBe(code)
})

test("a key may be typed in groups, and be the URI of a QR code", () => {
  expect(oneTimeCode("gezd gnbv-gy3t qojq gezd gnbv gy3t qojq", 59_000)).toBe("287082")
  expect(oneTimeCode(`otpauth://totp/App:ada?secret=${key}&issuer=App`, 59_000)).toBe("287082")
})

test.each(["", "not a key!", "otpauth://totp/App:ada"])("%j isn't a key", (text) => {
  expect(() => oneTimeCode(text)).toThrow("The key isn't Base32")
})
