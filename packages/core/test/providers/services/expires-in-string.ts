import { changed } from "../service/wire.js"
import type { Quirk } from "../service/desk.js"

export const expiresInString: Quirk = {
  token: (answer, granted) => (granted ? changed(answer, { expires_in: "3600" }) : answer),
}
