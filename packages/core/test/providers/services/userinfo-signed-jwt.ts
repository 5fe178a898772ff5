import { isObject } from "../facts.js"
import { envelope, sign } from "../service/openid.js"
import type { Quirk } from "../service/desk.js"

/** OpenID Connect Core §5.3.2. */
export const userinfoSignedJwt: Quirk = {
  userinfo: async (answer, _seen, desk) => ({
    ...answer,
    headers: { "content-type": "application/jwt" },
    body: await sign(desk, { ...(isObject(answer.body) ? answer.body : {}), ...envelope(desk) }),
  }),
}
