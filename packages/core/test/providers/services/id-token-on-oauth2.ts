import { changed } from "../service/wire.js"
import type { Quirk } from "../service/desk.js"

/** An ID token that nobody asked for, of an issuer that nobody knows. */
export const idTokenOnOAuth2: Quirk = {
  token: (answer, granted) => {
    const parts = [{ alg: "RS256", kid: "unknown" }, { iss: "https://unknown.test", sub: "somebody else" }, {}]
    const jwt = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
    return granted ? changed(answer, { id_token: jwt }) : answer
  },
}
