import type { Quirk } from "../service/desk.js"

/** Nobody needs to read it, but dots and length must not hurt. */
export const accessTokenIsJwt: Quirk = {
  accessToken: ({ accessToken }) => [{ alg: "RS256" }, { sub: accessToken }, "signature"].map(encoded).join("."),
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url")
}
