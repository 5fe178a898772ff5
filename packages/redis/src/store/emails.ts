import { claimField, textField } from "./codec.js"
import type { Store } from "./store.js"
import { changeUser, readUser, withoutClaim } from "./user-records.js"

/**
 * An email belongs to the user that its key leads to, if the user has this email. A key that leads elsewhere is left over from
 * an interrupted change and can be taken over.
 *
 * @returns `false` if another user has the email
 */
export async function claimEmail(store: Store, email: string, id: string): Promise<boolean> {
  const { records, layout } = store
  const key = layout.email(email)
  for (;;) {
    if (await records.insert(key, id, "forever")) return true
    const holder = await records.readText(key)
    if (holder === id) return true
    if (holder === null) continue
    if (!(await yields(store, holder, email))) return false
    // Once before and once after the takeover: the holder can repeat its claim in between.
    if (!(await records.replace(key, { from: holder, to: id, lifetime: "forever" }))) continue
    if (await yields(store, holder, email)) return true
    await records.replace(key, { from: id, to: holder, lifetime: "forever" })
    return false
  }
}

/** Frees an email that the user had before. */
export async function releaseEmail({ records, layout }: Store, email: string, id: string): Promise<void> {
  await records.remove(layout.email(email), id)
}

/**
 * The former holder may be about to set the email. This decides between both in one atomic step at the record of the
 * holder: either the claim is gone and the holder's change fails, or the holder has the email by now.
 */
async function yields(store: Store, holder: string, email: string): Promise<boolean> {
  const stored = await readUser(store, holder)
  if (stored === null) return true
  if (stored.fields[claimField] !== email) return textField(stored, "email") !== email
  const changed = await changeUser(store, holder, (fields) =>
    fields[claimField] === email ? withoutClaim(fields) : fields,
  )
  return changed === null || textField(changed, "email") !== email
}
