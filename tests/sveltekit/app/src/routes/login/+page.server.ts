import { AuthError } from "@auth/sveltekit"
import { fail } from "@sveltejs/kit"
import { signIn } from "../../auth"
import type { Actions } from "./$types"

export const actions: Actions = {
  async default(event) {
    try {
      return await signIn(event)
    } catch (error) {
      if (error instanceof AuthError) return fail(401, { type: error.type, code: "code" in error ? error.code : null })
      throw error
    }
  },
}
