import type { AuthContext } from "../../../model/auth.js"
import type { Vault } from "../../../model/vault.js"
import { resealKinds } from "../../../module/reseal.js"
import { exported } from "./export.js"
import { forget } from "./forget.js"
import { keep } from "./keep.js"
import { kinds } from "./records.js"
import { fetchWithToken, token } from "./token.js"

/** Keeps the tokens of providers, and renews them. */
export const vault: Vault<AuthContext> = {
  keep,
  token,
  fetch: fetchWithToken,
  forget,
  export: exported,
  reseal: async (auth, options) => resealKinds(auth, [kinds], options),
}
