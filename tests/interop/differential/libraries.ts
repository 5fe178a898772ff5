import type { Library } from "./engines.js"
import type { Plan } from "./plan.js"
import { loadPublished } from "./published.js"

const plain = await loadPublished()
const withEmail = await loadPublished()
const withPasskeys = await loadPublished()
const withBoth = await loadPublished()
// After the published packages, because loading those again would also load our lazy modules again.
const { latchkey } = await import("./ours.js")

/** The two libraries to compare for a plan. */
export function librariesFor({ providers }: Plan): { readonly theirs: Library; readonly ours: Library } {
  const hasEmail = providers.some(({ type }) => type === "email")
  const hasPasskeys = providers.some(({ type }) => type === "webauthn")
  if (hasPasskeys) return { theirs: hasEmail ? withBoth : withPasskeys, ours: latchkey }
  return { theirs: hasEmail ? withEmail : plain, ours: latchkey }
}
