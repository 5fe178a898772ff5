import type { Library } from "./engines.js"
import type { Plan } from "./plan.js"
import { loadPublished } from "./published.js"

const withoutEmail = await loadPublished()
const withEmail = await loadPublished()
// After the published packages, because loading those again would also load our lazy modules again.
const { latchkey } = await import("./ours.js")

/** The two libraries to compare for a plan. */
export function librariesFor({ providers }: Plan): { readonly theirs: Library; readonly ours: Library } {
  const hasEmail = providers.some(({ type }) => type === "email")
  return { theirs: hasEmail ? withEmail : withoutEmail, ours: latchkey }
}
