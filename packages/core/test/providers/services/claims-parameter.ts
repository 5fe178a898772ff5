import { isObject } from "../facts.js"
import type { Quirk } from "../service/desk.js"

/** The ID token says what was asked for with `claims` (OpenID Connect Core §5.5), and nothing else. */
export const claimsParameter: Quirk = {
  claims: (claims, { asked }) => {
    const wanted: unknown = JSON.parse(asked["claims"] ?? "{}")
    const names = isObject(wanted) && isObject(wanted["id_token"]) ? Object.keys(wanted["id_token"]) : []
    return Object.fromEntries(Object.entries(claims).filter(([name]) => name === "sub" || names.includes(name)))
  },
}
