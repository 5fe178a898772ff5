import type { Quirk } from "../service/desk.js"

export const wwwAuthenticateOnSuccess: Quirk = {
  token: (answer) => ({ ...answer, headers: { ...answer.headers, "www-authenticate": 'Basic realm="token"' } }),
}
