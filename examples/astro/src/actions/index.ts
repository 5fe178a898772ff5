import { defineAction } from "astro:actions"
import { z } from "astro/zod"
import { auth } from "../auth"

export const server = {
  ...auth.actions(defineAction),
  rename: defineAction({
    accept: "form",
    input: z.object({ name: z.string() }),
    handler: async ({ name }, context) => {
      await auth.update(context, { user: { name } })
    },
  }),
}
