import { AuthError } from "@latchkey/sveltekit"
import { fail } from "@sveltejs/kit"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = ({ url }) => ({
  callbackUrl: url.searchParams.get("callbackUrl") ?? "/account",
  error: url.searchParams.has("error"),
})

export const actions: Actions = {
  async default({ request, locals }) {
    const form = await request.formData()
    try {
      return await locals.signIn("credentials", form)
    } catch (error) {
      if (error instanceof AuthError) return fail(401, { email: form.get("email") })
      // A successful sign-in throws a redirect.
      throw error
    }
  },
}
