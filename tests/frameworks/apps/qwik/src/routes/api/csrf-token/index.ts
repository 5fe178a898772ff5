import type { RequestHandler } from "@builder.io/qwik-city"
import { csrfToken } from "../../plugin@auth"

export const onGet: RequestHandler = async (ev) => {
  ev.json(200, { csrfToken: await csrfToken(ev) })
}
