import type { RequestHandler } from "@builder.io/qwik-city"
import { calls } from "../../store"

/** The adapter methods that were called since the last request for this page. */
export const onGet: RequestHandler = ({ json }) => {
  json(200, calls.splice(0))
}
