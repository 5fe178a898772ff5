import { readdirSync } from "node:fs"
import { hasProviderModule } from "../catalogue.js"
import { type Dependencies, withDependencies } from "../project/manifest.js"
import { depends, majorOf, type Manifest, type Project } from "../project/project.js"
import type { Edit } from "../source/edits.js"
import { nameOf, type Source, walk } from "../source/syntax.js"
import { rangeOf } from "../version.js"
import { type App, appOf, change, lineOf, sourceOf } from "./app.js"
import { renameVariables, variableEdits } from "./env.js"
import { replaceMiddleware } from "./middleware.js"
import { renamedTypes } from "./names.js"
import type { Plan } from "./plan.js"
import { replaceServerSessions } from "./sessions.js"
import { followOptions, moveSetup } from "./setup.js"
import { renamed, specifiersIn, targetOf } from "./specifiers.js"

/** What is to be done to an application, and what a person has to look at. Nothing is written. */
export function planFor(project: Project): Plan {
  const app = appOf(project)
  if (app.isVersion4) fromVersion4(app)
  const used = new Set<string>()
  for (const path of [...app.files, ...newFiles(app)]) {
    const source = sourceOf(app, path)
    if (source === undefined) continue
    change(app, source, [...specifierEdits(app, source, used), ...variableEdits(source)])
    if (app.isVersion4) remarks(app, source)
  }
  renameEnvFiles(app)
  renameDependencies(app, used)
  if (app.draft.plan().changes.length > 0) farewell(app)
  return app.draft.plan()
}

function fromVersion4(app: App): void {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source !== undefined) change(app, source, renamedTypes(source))
  }
  const setup = moveSetup(app)
  if (setup !== undefined) followOptions(app, setup)
  replaceServerSessions(app, setup)
  if (setup?.movedFrom !== undefined) replaceServerSessions({ ...app, files: [setup.module] }, setup)
  replaceMiddleware(app, setup)
}

function newFiles({ draft, files }: App): string[] {
  return draft
    .plan()
    .changes.map(({ path }) => path)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !files.includes(path))
}

/** @param used gets the names of the packages of ours that the file needs */
function specifierEdits({ draft, project }: App, source: Source, used: Set<string>): Edit[] {
  return specifiersIn(source).flatMap((specifier) => {
    const target = targetOf(specifier.value)
    if (target === undefined || isSwapped(project.manifest, specifier.value)) return []
    if (target.kind === "unknown") {
      draft.note(target.problem, lineOf(source, specifier.start))
      return []
    }
    if (target.provider !== undefined && !hasProviderModule(target.provider)) {
      draft.note(
        `There is no provider "${target.provider}" here: describe it yourself (docs/providers.md)`,
        lineOf(source, specifier.start),
      )
    }
    used.add(target.to.split("/").slice(0, 2).join("/"))
    return [renamed(specifier, target.to)]
  })
}

/** What no rule can decide. */
function remarks({ draft }: App, source: Source): void {
  walk(source.program, (node) => {
    if (node.type === "Identifier" && node.name === "isNewUser") {
      draft.note('`isNewUser` of the jwt callback is `trigger === "signUp"` now', lineOf(source, node.start))
    }
    if (node.type === "Property" && nameOf(node.key) === "encryption") {
      draft.note("The option `encryption` is gone: session tokens are always encrypted", lineOf(source, node.start))
    }
  })
  for (const { value, start } of specifiersIn(source)) {
    if (value.endsWith("/providers/email")) {
      draft.note(
        'The provider `email` is `nodemailer` now; with `id: "email"` stored accounts and links go on to work',
        lineOf(source, start),
      )
    }
  }
}

function renameEnvFiles({ project, draft }: App): void {
  const files = readdirSync(project.root).filter((name) => /^\.env(?:\.[\w.-]+)?$/.test(name))
  for (const file of files) {
    const text = draft.get(file)
    if (text !== undefined) draft.set(file, renameVariables(text))
  }
}

const former = ["next-auth", "@auth/core", "@auth/express"]

/** Ours come, theirs go; adapters of version 4 have another name. */
function renameDependencies({ project, draft }: App, used: ReadonlySet<string>): void {
  const { root, manifest } = project
  const gone = former.filter((name) => depends(manifest, name) && !isSwapped(manifest, name))
  const come = [...used].filter((name) => name.startsWith("@latchkey/") && !depends(manifest, name))
  const adapters = namesIn(manifest).filter((name) => /^@next-auth\/[\w-]+-adapter$/.test(name))
  const changes: Record<string, string | undefined> = Object.fromEntries(gone.map((name) => [name, undefined]))
  for (const name of come) changes[name] = rangeOf(name)
  for (const name of adapters) {
    const present = name.replace("@next-auth/", "@auth/")
    changes[name] = undefined
    changes[present] = "latest"
    draft.note(`${present} takes the place of ${name}: choose its version; the tables stay`, "package.json")
  }
  if (Object.keys(changes).length > 0) draft.set("package.json", manifestText(draft, root, changes))
}

function manifestText(draft: App["draft"], root: string, changes: Dependencies): string {
  draft.get("package.json")
  return withDependencies(root, changes)
}

/** `"next-auth": "npm:@latchkey/next@…"`: ours under the former name, which then stays everywhere. */
function isSwapped({ dependencies, devDependencies }: Manifest, specifier: string): boolean {
  const name = former.find((one) => specifier === one || specifier.startsWith(`${one}/`))
  const range = name === undefined ? undefined : { ...devDependencies, ...dependencies }[name]
  return range?.startsWith("npm:@latchkey/") === true
}

function namesIn({ dependencies, devDependencies }: Manifest): string[] {
  return Object.keys({ ...devDependencies, ...dependencies })
}

/** What happens to people who are signed in: only what the engine does. */
function farewell({ project, draft, isVersion4 }: App): void {
  if (isVersion4) {
    draft.note("Sessions of next-auth 4 cannot be read, by next-auth 5 neither: everybody signs in once more")
  } else {
    draft.note(
      'Nobody is signed out, as long as AUTH_SECRET stays and `security` is "compatible" (the default): cookies and tokens are the same in both directions',
    )
  }
  draft.note("NEXTAUTH_URL and NEXTAUTH_SECRET are still read: rename them where you deploy whenever you like")
  if (isVersion4 && (majorOf(project, "next") ?? 16) < 14)
    draft.note("@latchkey/next needs Next.js 14 or later: update it first")
}
