import { redirect } from "@sveltejs/kit"
import { requireSession, update } from "../../auth"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ user: (await requireSession(event)).user })

export const actions: Actions = {
  async rename(event) {
    await requireSession(event)
    const name = (await event.request.formData()).get("name")
    if (typeof name === "string") await update(event, { user: { name } })
    redirect(303, "/account")
  },
}
