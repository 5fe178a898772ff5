import type { Quirk } from "../service/desk.js"

/** The documented scheme is `OAuth`, and `Bearer` is taken too. */
export const authorizationSchemeOAuth: Quirk = {
  carries: ({ headers }, accessToken) => headers.get("authorization") === `OAuth ${accessToken}`,
}
