import { type Manifest, majorIn, rangesOf } from "../project/project.js"
import { type Renaming, withRenamed } from "../project/manifest.js"
import { passkeyLibrary } from "../project/passkey-library.js"
import { rangeOf } from "../version.js"
import { type App, lineNumber, sourceOf } from "./app.js"
import { passkeyRenamings } from "./passkeys.js"
import { counterparts, specifiersIn, targetOf } from "./specifiers.js"

/** The releases that follow the adapters of version 4. */
const adapters: Readonly<Record<string, string>> = {
  "@auth/dynamodb-adapter": "2.11.3",
  "@auth/mikro-orm-adapter": "2.10.0",
  "@auth/mongodb-adapter": "3.11.3",
  "@auth/pouchdb-adapter": "1.0.10",
  "@auth/prisma-adapter": "2.11.3",
  "@auth/sequelize-adapter": "2.11.3",
  "@auth/typeorm-adapter": "2.11.3",
  "@auth/upstash-redis-adapter": "2.11.3",
}

/** The oldest release that `@latchkey/core` works with. */
const nodemailer = "7.0.7"

/**
 * Replaces the packages of Auth.js in package.json, each in the list that has it. A package stays if the code still imports
 * it.
 *
 * @param used the packages that the code needs now
 * @param everywhere the packages whose code may use the dependencies of this one
 */
export function renameDependencies(app: App, used: ReadonlySet<string>, everywhere: readonly App[] = [app]): void {
  const { draft, project } = app
  const text = draft.get("package.json")
  if (text === undefined) return
  const ranges = rangesOf(project.manifest)
  const isShared = !hasAuthJs(project.manifest) && !isRoot(app)
  const changes = [
    ...packageRenamings(app, ranges),
    ...adapterRenamings(app, ranges),
    ...mailRenamings(app, ranges),
    ...(used.has(passkeyLibrary)
      ? likeBefore(passkeyRenamings(app, ranges, { everywhere, adds: !isShared }), ranges)
      : []),
  ]
  const named = new Set([...Object.keys(ranges), ...changes.map(({ to }) => to)])
  const added = isShared ? [] : [...used].filter((name) => name.startsWith("@latchkey/") && !named.has(name))
  const replaced = Object.keys(counterparts).find((name) => ranges[name] !== undefined)
  const range = (name: string) => like(ranges[replaced ?? ""] ?? "", rangeOf(name))
  draft.set("package.json", withRenamed(text, [...changes, ...added.map((to) => ({ from: to, to, range: range(to) }))]))
}

function likeBefore(renamings: readonly Renaming[], ranges: Readonly<Record<string, string>>): Renaming[] {
  return renamings.map(({ range, ...names }) => ({
    ...names,
    range: range === undefined ? undefined : like(ranges[names.from] ?? "", range),
  }))
}

function isRoot({ draft }: App): boolean {
  return draft.prefix === ""
}

export function hasAuthJs(manifest: Manifest): boolean {
  return Object.keys(rangesOf(manifest)).some((name) => counterparts[name] !== undefined)
}

function packageRenamings(app: App, ranges: Readonly<Record<string, string>>): Renaming[] {
  const left = remaining(app)
  return Object.entries(counterparts).flatMap(([from, to]) => {
    const range = ranges[from]
    if (range === undefined || app.isSwapped(from)) return []
    if (!left.has(from)) return [{ from, to, range: like(range, rangeOf(to)) }]
    app.keeps.add(from)
    app.draft.leave(
      `${from} stays, because the code still imports it. Remove it when the other points are done.`,
      manifestLine(app, from),
    )
    return ranges[to] === undefined ? [{ from: to, to, range: like(range, rangeOf(to)) }] : []
  })
}

/** The packages that the code imports after the migration. */
function remaining(app: App): ReadonlySet<string> {
  const values = app.draft.codePaths(app.files).flatMap((path) => {
    const source = sourceOf(app, path)
    return source === undefined ? [] : specifiersIn(source).map(({ value }) => value)
  })
  return new Set(
    values
      .filter((value) => targetOf(value) !== undefined)
      .map((value) => /^(?:@[^/]+\/)?[^/]+/.exec(value)?.[0] ?? ""),
  )
}

function adapterRenamings(app: App, ranges: Readonly<Record<string, string>>): Renaming[] {
  return Object.entries(ranges).flatMap(([from, range]): Renaming[] => {
    if (!/^@next-auth\/[\w-]+-adapter$/.test(from)) return []
    const to = from.replace("@next-auth/", "@auth/")
    if (ranges[to] !== undefined) return [{ from, to: from, range: undefined }]
    const known = adapters[to]
    if (known === undefined) {
      app.draft.leave(`${to} replaces ${from}. Choose its version. The tables stay the same.`, manifestLine(app, from))
    } else app.draft.note(`${to} replaces ${from}. The tables stay the same.`, "package.json")
    return [{ from, to, range: known === undefined ? "latest" : like(range, `^${known}`) }]
  })
}

function mailRenamings(app: App, ranges: Readonly<Record<string, string>>): Renaming[] {
  const range = ranges["nodemailer"]
  const major = majorIn(range)
  if (range === undefined || major === undefined || major >= 7) return []
  app.draft.note(
    `nodemailer changes from ${range} to 7, which Latchkey needs. Only its transport for Amazon SES works differently.`,
    "package.json",
  )
  return [{ from: "nodemailer", to: "nodemailer", range: like(range, `^${nodemailer}`) }]
}

/** An exact version stays exact, and a range of patches stays one. */
function like(old: string, range: string): string {
  const version = range.replace(/^\D+/, "")
  if (old.startsWith("catalog:")) return old
  if (/^[=v]?\d+\.\d+\.\d+[\w.+-]*$/.test(old.trim())) return version
  return old.trim().startsWith("~") ? `~${version}` : range
}

function manifestLine({ draft }: App, name: string): string {
  const text = draft.get("package.json") ?? ""
  return `package.json:${lineNumber(text, Math.max(0, text.indexOf(`"${name}"`)))}`
}
