import type { RequestHandler } from "@builder.io/qwik-city"

export const onGet: RequestHandler = ({ rewrite }) => {
  throw rewrite("/private/")
}
