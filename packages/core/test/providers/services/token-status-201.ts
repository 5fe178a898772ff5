import type { Quirk } from "../service/desk.js"

export const tokenStatus201: Quirk = {
  token: (answer, granted) => (granted ? { ...answer, status: 201 } : answer),
}
