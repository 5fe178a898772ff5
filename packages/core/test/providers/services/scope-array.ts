import { changed, fieldOf } from "../service/wire.js"
import type { Quirk } from "../service/desk.js"

export const scopeArray: Quirk = {
  token: (answer, granted) =>
    granted ? changed(answer, { scope: String(fieldOf(answer, "scope")).split(" ") }) : answer,
}
