import type { ErrorStep, MethodsStep } from "@latchkey/client/flow"
import { error } from "@sveltejs/kit"
import type { PageServerLoad } from "./$types"

/** The ways to sign in, with their fields. */
export const load: PageServerLoad = async ({ fetch, url }) => {
  const response = await fetch(`/auth/signin${url.search}`, { headers: { accept: "application/json" } })
  const step: MethodsStep | ErrorStep = await response.json()
  if (step.status === "error") error(response.status, step.error.message)
  return { step }
}
