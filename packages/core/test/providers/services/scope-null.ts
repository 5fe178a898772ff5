import { changed } from "../service/wire.js"
import type { Quirk } from "../service/desk.js"

/** A lifetime of nothing comes with it. */
export const scopeNull: Quirk = {
  token: (answer, granted) => (granted ? changed(answer, { scope: null, expires_in: 0 }) : answer),
}
