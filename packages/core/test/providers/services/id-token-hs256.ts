import { SignJWT } from "jose"
import { client } from "../facts.js"
import type { Quirk } from "../service/desk.js"

/** Signed with the client secret, while the document announces a public key. */
export const idTokenHs256: Quirk = {
  sign: (claims) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(new TextEncoder().encode(client.clientSecret)),
  document: (document) => ({ ...document, id_token_signing_alg_values_supported: ["ES256"] }),
}
