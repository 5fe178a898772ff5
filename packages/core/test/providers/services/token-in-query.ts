import type { Quirk } from "../service/desk.js"

/** The access token may stand in the query, where the facts do not say so already. */
export const tokenInQuery: Quirk = {
  carries: ({ url }, accessToken) => url.search === `?access_token=${accessToken}`,
}
