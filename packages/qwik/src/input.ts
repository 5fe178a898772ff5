import { z } from "@builder.io/qwik-city"

const text = z.string().optional()
const texts = z.record(z.union([z.string(), z.number(), z.boolean()]))

const inputs = {
  signIn: z.object({
    providerId: text,
    redirectTo: text,
    options: z.object({ redirectTo: text }).passthrough().optional(),
    authorizationParams: z.union([z.string(), z.instanceof(URLSearchParams), texts]).optional(),
  }),
  signOut: z.object({ redirectTo: text }),
}

type Checked =
  | { readonly success: true; readonly data: unknown }
  | {
      readonly success: false
      readonly status: 400
      readonly error: { readonly formErrors: readonly string[]; readonly fieldErrors: object }
    }

/** Checks the input of an action, before it runs. */
export function check(action: "signIn" | "signOut", input: unknown): Checked {
  const { success, data, error } = inputs[action].safeParse(input)
  return success ? { success, data } : { success, status: 400, error: error.flatten() }
}
