import { redirect } from "@sveltejs/kit"
import { requireSession } from "../../../auth"
import { releaseBerths } from "../../../database"
import { requireSecondFactor } from "../../../second-factor"
import type { Actions, PageServerLoad } from "./$types"

const path = "/dashboard/release"

export const load: PageServerLoad = async (event) => {
  await requireSession(event)
  await requireSecondFactor(event, path)
}

export const actions: Actions = {
  // The page asked. The action asks too, because anyone can send its form without the page.
  async default(event) {
    const { user } = await requireSession(event)
    await requireSecondFactor(event, path)
    releaseBerths(user.id)
    redirect(303, "/dashboard")
  },
}
