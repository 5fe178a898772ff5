import type { Block, ModuleUser, Section } from "@latchkey/core/module"
import type { Background, Context, Result } from "./context.js"
import type { SignedInApp } from "./options.js"
import { findClient } from "./oauth/clients.js"
import type { Site } from "./site.js"

/** The apps that a user is signed in to, newest first. */
export async function appsOf(site: Site, { records }: Background, userId: string): Promise<readonly SignedInApp[]> {
  if (site.isStateless) return []
  const { items } = await records.family.find({ userId })
  return items
    .map(({ id, clientId, beganAt, rotatedAt }) => {
      const name = findClient(site, clientId)?.name ?? clientId
      return { id, clientId, name, beganAt, lastUsedAt: rotatedAt }
    })
    .toSorted((one, other) => other.beganAt.getTime() - one.beganAt.getTime())
}

/** What the account page shows of them. `null`: there are none. */
export async function section(site: Site, context: Context, { id }: ModuleUser): Promise<Section | null> {
  const { text, language } = context
  const apps = await appsOf(site, context, id)
  if (apps.length === 0) return null
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" })
  const blocks = apps.flatMap(({ id: app, name, beganAt }): readonly Block[] => [
    { kind: "text", text: text("app", { client: name, date: date.format(beganAt) }) },
    { kind: "form", route: "end", values: { app }, submit: text("end", { client: name }), secondary: true },
  ])
  return { title: text("apps"), blocks }
}

/** POST end: the user signs out of an app on the account page. */
export async function endRoute(site: Site, context: Context, user: ModuleUser): Promise<Result> {
  await endApp(site, context, user.id, String(context.request.fields["app"]))
  return context.redirect("account")
}

/** `false`: the user has no such sign-in. */
export async function endApp(site: Site, context: Background, userId: string, id: string): Promise<boolean> {
  if (site.isStateless) return false
  const { records, emit } = context
  const family = await records.family.get({ id })
  if (family === null || family.userId !== userId) return false
  await records.family.remove({ id })
  await emit("signed-out", { id: userId }, { data: { client: family.clientId } })
  return true
}
