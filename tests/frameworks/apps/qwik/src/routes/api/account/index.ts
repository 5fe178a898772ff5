import type { RequestHandler } from "@builder.io/qwik-city"
import { requireSession } from "../../plugin@auth"

export const onGet: RequestHandler = async (ev) => {
  const { user } = await requireSession(ev)
  ev.json(200, { email: user?.email, name: user?.name })
}
