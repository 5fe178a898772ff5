import type { Background, Site } from "./flows/site.js"

/** Passwords that are looked at. */
const sample = 1000

/** What `latchkey doctor` reports. */
export async function findings({ hasher }: Site, { canMail, records }: Background): Promise<readonly string[]> {
  // Without its table, the finding about the database says more.
  const { items, next } = await records.password.list({ limit: sample }).catch(() => ({ items: [], next: undefined }))
  const states = await Promise.all(items.map(({ hash }) => hasher.isOutdated(hash)))
  const count = states.filter(Boolean).length
  const seen = `${next === undefined ? "" : "the first "}${items.length} passwords`
  return [
    ...(canMail
      ? []
      : ["Users can't sign up or reset a password, because no email can be sent. Add an email provider"]),
    ...(count === 0
      ? []
      : [`${count} of ${seen} have the hash of another system, or weaker parameters. A sign-in makes it anew`]),
  ]
}
