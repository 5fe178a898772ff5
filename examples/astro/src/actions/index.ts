import { defineAction } from "astro:actions"
import { auth } from "../auth"

export const server = {
  ...auth.actions(defineAction),
  rename: defineAction({
    accept: "form",
    handler: async (form: FormData, context) => {
      await auth.update(context, { user: { name: form.get("name") } })
    },
  }),
}
