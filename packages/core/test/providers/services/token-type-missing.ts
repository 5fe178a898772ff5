import { changed } from "../service/wire.js"
import type { Quirk } from "../service/desk.js"

/** The lifetime is missing with it. */
export const tokenTypeMissing: Quirk = {
  token: (answer, granted) => (granted ? changed(answer, { token_type: undefined, expires_in: undefined }) : answer),
}
