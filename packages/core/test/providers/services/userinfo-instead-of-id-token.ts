import type { Quirk } from "../service/desk.js"

/** The ID token says who it is and nothing more. */
export const userinfoInsteadOfIdToken: Quirk = {
  claims: ({ sub }) => ({ sub }),
}
