import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { passkeyLibrary } from "../project/passkey-library.js"
import {
  isBridge,
  majorIn,
  majorOf,
  type Manifest,
  outdatedIn,
  type Project,
  projectAt,
  rangesOf,
} from "../project/project.js"
import type { Edit } from "../source/edits.js"
import type { Source } from "../source/syntax.js"
import { aliasDependencies } from "./alias.js"
import { type App, appOf, change, lineOf, sourceOf } from "./app.js"
import { typeCredentials } from "./authorize.js"
import { hasAuthJs, renameDependencies } from "./dependencies.js"
import { expandedIn, renameVariables, secretEdits, variablesReadBy } from "./env.js"
import { existingSetups } from "./existing-setup.js"
import { isCode, isEnvFile, isSetting, treeOf } from "./files.js"
import { replaceFormerTypes } from "./former-types.js"
import { noteLeftovers, renameSettings } from "./leftovers.js"
import { replaceMiddleware } from "./middleware.js"
import { renamedTypes } from "./names.js"
import { noteOpenPoints } from "./open-points.js"
import { isPasskeyProvider } from "./passkeys.js"
import type { Plan } from "./plan.js"
import { changeProviderOptions } from "./provider-options.js"
import { replaceServerSessions } from "./sessions.js"
import { routePath, type Setup } from "./route.js"
import { moveSetups, noteMocks, redirectImports } from "./setup.js"
import { renamed, specifiersIn, targetOf } from "./specifiers.js"
import { completeTokens } from "./tokens.js"

/** The first step: Latchkey under the former names. Writes nothing. */
export function aliasPlanFor(project: Project): Plan {
  const apps = appsOf(project, treeOf(project.root).packages)
  for (const app of apps) aliasDependencies(app)
  return planOf(apps)
}

function planOf(apps: readonly App[]): Plan {
  const plans = apps.map(({ draft }) => draft.plan())
  return { changes: plans.flatMap(({ changes }) => changes), notes: plans.flatMap(({ notes }) => notes) }
}

function appsOf(project: Project, packages: ReadonlyMap<string, readonly string[]>): readonly App[] {
  return [...packages].map(([folder, files]) => packageApp(project, folder, files))
}

/** The changes to an application, or to all packages of a monorepo, and the notes for you. Writes nothing. */
export function planFor(project: Project): Plan {
  const tree = treeOf(project.root)
  const apps = appsOf(project, tree.packages)
  const kept = variablesToKeep(apps)
  const used = new Map(apps.map((app) => [app, migrateCode(app, kept)]))
  // A package without the dependency has it from the root.
  const shared = [...used].flatMap(([app, names]) => (hasAuthJs(app.project.manifest) ? [] : [...names]))
  for (const [app, names] of used) {
    renameEnvFiles(app, kept)
    const isRoot = app.draft.prefix === ""
    renameDependencies(app, isRoot ? new Set([...names, ...shared]) : names, isRoot ? apps : [app])
    if (!usesAuthJs(app)) continue
    noteOutdated(app)
    noteOpenPoints(app)
    noteLeftovers(app)
  }
  noteLimits(apps, tree.isTruncated)
  const { changes, notes } = planOf(apps)
  return { changes, notes: changes.length === 0 ? notes : [...notes, ...generalNotes(apps)] }
}

function noteLimits([root]: readonly App[], isTruncated: boolean): void {
  if (root === undefined) return
  if (isTruncated) root.draft.leave("has too many files. Run migrate in each application.", "package.json")
  noteManifestsAbove(root)
}

function packageApp({ root }: Project, folder: string, files: readonly string[]): App {
  const prefix = folder === "" ? "" : `${folder}/`
  const project = projectAt(join(root, folder))
  const paths = files.map((path) => path.slice(prefix.length))
  return appOf(project, { paths, prefix, isVersion4: isVersion4(project, root, paths) })
}

/** The version in the package.json of the package or in one above it, unless only package.json was changed yet. */
function isVersion4(project: Project, top: string, paths: readonly string[]): boolean {
  for (let folder = project.root; folder !== dirname(top); folder = dirname(folder)) {
    const own = existsSync(join(folder, "package.json")) ? projectAt(folder) : undefined
    const range = own === undefined ? undefined : rangesOf(own.manifest)["next-auth"]
    if (own !== undefined && range !== undefined) {
      const isOld = isRange4(own, range)
      return isOld === false ? hasOldRoute(project, paths) : (isOld ?? looksLikeVersion4(project, paths))
    }
    if (folder === dirname(folder)) break
  }
  return false
}

/** @returns undefined if the range doesn't say it */
function isRange4(project: Project, range: string): boolean | undefined {
  if (isBridge(project, "next-auth")) return true
  if (/^(?:beta|npm:@latchkey)/.test(range)) return false
  const major = majorIn(range) ?? majorOf(project, "next-auth")
  return major === undefined ? undefined : major === 4
}

function looksLikeVersion4({ root }: Project, paths: readonly string[]): boolean {
  const signs = /\bgetServerSession\b|\bNextAuthOptions\b|next-auth\/middleware|NextAuth\((?:req|authOptions)/
  return paths.filter(isCode).some((path) => signs.test(readFileSync(join(root, path), "utf8")))
}

/** Whether the API route creates its handler itself. In version 5 it exports `handlers`. */
function hasOldRoute({ root }: Project, paths: readonly string[]): boolean {
  const routes = paths.filter((path) => routePath(path) !== undefined)
  return routes
    .map((path) => readFileSync(join(root, path), "utf8"))
    .some((text) => /\bNextAuth\(/.test(text) && !/\bhandlers\b/.test(text))
}

/** The old variables that something reads by itself, in any package. Renaming them would break it. */
function variablesToKeep(apps: readonly App[]): ReadonlySet<string> {
  const kept = apps.flatMap((app) => [
    ...app.files.flatMap((path) => {
      const source = sourceOf(app, path)
      return source === undefined ? [] : variablesReadBy(source)
    }),
    ...app.all.filter(isEnvFile).flatMap((path) => expandedIn(app.draft.get(path) ?? "")),
    ...app.all
      .filter((path) => isSetting(path) && !isEnvFile(path) && !isCode(path))
      .flatMap((path) => (app.draft.get(path) ?? "").match(/\bNEXTAUTH_(?:URL|SECRET)\b/g) ?? []),
  ])
  return new Set(kept)
}

/** @returns the packages that the code imports now */
function migrateCode(app: App, kept: ReadonlySet<string>): Set<string> {
  const used = new Set<string>()
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source !== undefined) change(app, source, renamedTypes(source))
  }
  const setups = app.isVersion4 ? setupsFromVersion4(app) : existingSetups(app)
  for (const [setup, paths] of filesBySetup(app, setups)) {
    replaceServerSessions(app, setup, paths)
    replaceMiddleware(app, setup, paths)
  }
  if (app.isVersion4 && setups.length === 0) replaceMiddleware(app, undefined, app.files)
  for (const path of app.draft.codePaths(app.files)) {
    const source = sourceOf(app, path)
    if (source !== undefined) change(app, source, [...specifierEdits(app, source, used), ...secretEdits(source, kept)])
  }
  renameSettings(app, used)
  return used
}

function setupsFromVersion4(app: App): readonly Setup[] {
  completeTokens(app)
  changeProviderOptions(app)
  replaceFormerTypes(app)
  typeCredentials(app)
  const setups = moveSetups(app)
  for (const setup of setups) redirectImports(app, setup)
  for (const setup of setups) noteMocks(app, setup)
  return setups
}

/** The files of each application: those in the deepest folder that has both. */
function filesBySetup(app: App, setups: readonly Setup[]): Map<Setup, string[]> {
  const files = new Map(setups.map((setup): [Setup, string[]] => [setup, []]))
  for (const path of app.draft.codePaths(app.files)) {
    const owner = setups.toSorted((a, b) => shared(path, b) - shared(path, a))[0]
    if (owner !== undefined) files.get(owner)?.push(path)
  }
  return files
}

/** The number of folders that two paths have in common. */
function shared(path: string, { module }: Setup): number {
  const [one, other] = [path.split("/"), module.split("/")]
  const end = one.findIndex((part, index) => part !== other[index])
  return end === -1 ? one.length : end
}

/** @param used collects the packages of Latchkey that the file needs */
function specifierEdits(app: App, source: Source, used: Set<string>): Edit[] {
  return specifiersIn(source).flatMap((specifier) => {
    const target = targetOf(specifier.value)
    if (target === undefined || app.isSwapped(specifier.value)) return []
    if (target.kind === "unknown") {
      // The note about the middleware says more.
      if (!app.draft.isLeft(source.path) || !specifier.value.endsWith("/middleware"))
        app.draft.leave(target.problem, lineOf(source, specifier.start))
      return []
    }
    used.add(target.to.split("/").slice(0, 2).join("/"))
    if (isPasskeyProvider(target.to)) used.add(passkeyLibrary)
    return [renamed(specifier, target.to)]
  })
}

function renameEnvFiles({ all, draft }: App, kept: ReadonlySet<string>): void {
  for (const file of all.filter(isEnvFile)) {
    const text = draft.get(file)
    if (text !== undefined) draft.set(file, renameVariables(text, kept))
  }
}

function usesAuthJs(app: App): boolean {
  return (
    app.isVersion4 || app.draft.plan().changes.length > 0 || dependsOn(app.project.manifest) || app.files.length > 0
  )
}

function dependsOn(manifest: Manifest): boolean {
  return Object.keys(rangesOf(manifest)).some((name) =>
    /^(?:next-auth$|@auth\/|@hono\/auth-js$|auth-astro$|@latchkey\/)/.test(name),
  )
}

function noteOutdated({ project, draft }: App): void {
  for (const { name, oldest } of outdatedIn(project)) {
    const { integration } = project.framework
    draft.leave(`${integration} needs ${name} ${oldest} or newer. Update ${name} first.`, "package.json")
  }
}

/** A package.json above the folder may have the dependency for all packages of a monorepo. */
function noteManifestsAbove({ project, draft }: App): void {
  for (
    let folder = dirname(project.root), up = "../";
    folder !== dirname(folder);
    folder = dirname(folder), up += "../"
  ) {
    if (!existsSync(join(folder, "package.json"))) continue
    if (hasAuthJs(projectAt(folder).manifest) && draft.plan().changes.length > 0)
      draft.leave("depends on Auth.js, too. Run migrate in that folder.", `${up}package.json`)
  }
}

/** What applies to the application as a whole. */
function generalNotes(apps: readonly App[]): Plan["notes"] {
  const note = (text: string) => ({ where: undefined, text, isOpen: false })
  return [
    note(sessions(apps.some(({ isVersion4 }) => isVersion4))),
    ...(mentionsOldNames(apps)
      ? [
          note(
            "Latchkey still reads NEXTAUTH_URL and NEXTAUTH_SECRET. You can rename them in your deployments at any time.",
          ),
        ]
      : []),
  ]
}

function mentionsOldNames(apps: readonly App[]): boolean {
  return (
    apps.some(({ all, draft }) => all.some((path) => /\bNEXTAUTH_/.test(draft.get(path) ?? ""))) ||
    apps.some(({ draft }) => draft.plan().changes.some(({ before }) => /\bNEXTAUTH_/.test(before ?? "")))
  )
}

function sessions(isVersion4: boolean): string {
  return isVersion4
    ? 'Users stay signed in if the secret stays the same and `security` is "compatible" (the default). Sessions of next-auth 4 are read and continued.'
    : 'Users stay signed in if AUTH_SECRET stays the same and `security` is "compatible" (the default). Cookies and tokens work in both directions.'
}
