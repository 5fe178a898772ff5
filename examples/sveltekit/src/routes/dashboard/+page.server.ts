import { requireSession } from "../../auth"
import { berthsOf, bookBerth } from "../../database"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => {
  const { user } = await requireSession(event)
  return { berths: berthsOf(user.id) }
}

export const actions: Actions = {
  async book(event) {
    const { user } = await requireSession(event)
    const boat = (await event.request.formData()).get("boat")
    if (typeof boat === "string" && boat.trim() !== "") bookBerth(user.id, boat.trim().slice(0, 60))
  },
}
