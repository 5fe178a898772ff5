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
import { moveSetup, redirectImports } from "./setup.js"
import { renamed, specifiersIn, targetOf } from "./specifiers.js"

/** The changes to an application, and the notes for you. Writes nothing. */
export function planFor(project: Project): Plan {
  const app = appOf(project)
  if (app.isVersion4) fromVersion4(app)
  const used = new Set<string>()
  for (const path of [...app.files, ...newFiles(app)]) {
    const source = sourceOf(app, path)
    if (source === undefined) continue
    change(app, source, [...specifierEdits(app, source, used), ...variableEdits(source)])
    if (app.isVersion4) addNotes(app, source)
  }
  renameEnvFiles(app)
  renameDependencies(app, used)
  if (app.draft.plan().changes.length > 0) noteSessions(app)
  return app.draft.plan()
}

function fromVersion4(app: App): void {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source !== undefined) change(app, source, renamedTypes(source))
  }
  const setup = moveSetup(app)
  if (setup !== undefined) redirectImports(app, setup)
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

/** @param used collects the packages of Latchkey that the file needs */
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
        `Latchkey has no provider "${target.provider}". Define it yourself, as docs/providers.md describes.`,
        lineOf(source, specifier.start),
      )
    }
    used.add(target.to.split("/").slice(0, 2).join("/"))
    return [renamed(specifier, target.to)]
  })
}

/** Notes what can't be changed automatically. */
function addNotes({ draft }: App, source: Source): void {
  walk(source.program, (node) => {
    if (node.type === "Identifier" && node.name === "isNewUser") {
      draft.note('Replace `isNewUser` in the jwt callback by `trigger === "signUp"`.', lineOf(source, node.start))
    }
    if (node.type === "Property" && nameOf(node.key) === "encryption") {
      draft.note("Remove the option `encryption`. Session tokens are always encrypted.", lineOf(source, node.start))
    }
  })
  for (const { value, start } of specifiersIn(source)) {
    if (value.endsWith("/providers/email")) {
      draft.note(
        'The provider `email` is now `nodemailer`. Set `id: "email"` to keep stored accounts and links working.',
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

const authJsPackages = ["next-auth", "@auth/core", "@auth/express"]

/** Replaces the packages of Auth.js by ours, and adapters of version 4 by their successors. */
function renameDependencies({ project, draft }: App, used: ReadonlySet<string>): void {
  const { root, manifest } = project
  const removed = authJsPackages.filter((name) => depends(manifest, name) && !isSwapped(manifest, name))
  const added = [...used].filter((name) => name.startsWith("@latchkey/") && !depends(manifest, name))
  const adapters = namesIn(manifest).filter((name) => /^@next-auth\/[\w-]+-adapter$/.test(name))
  const changes: Record<string, string | undefined> = Object.fromEntries(removed.map((name) => [name, undefined]))
  for (const name of added) changes[name] = rangeOf(name)
  for (const name of adapters) {
    const successor = name.replace("@next-auth/", "@auth/")
    changes[name] = undefined
    changes[successor] = "latest"
    draft.note(`${successor} replaces ${name}. Choose its version. The tables stay the same.`, "package.json")
  }
  if (Object.keys(changes).length > 0) draft.set("package.json", manifestText(draft, root, changes))
}

function manifestText(draft: App["draft"], root: string, changes: Dependencies): string {
  draft.get("package.json")
  return withDependencies(root, changes)
}

/** With `"next-auth": "npm:@latchkey/next@…"`, the application keeps the old names. */
function isSwapped({ dependencies, devDependencies }: Manifest, specifier: string): boolean {
  const name = authJsPackages.find((one) => specifier === one || specifier.startsWith(`${one}/`))
  const range = name === undefined ? undefined : { ...devDependencies, ...dependencies }[name]
  return range?.startsWith("npm:@latchkey/") === true
}

function namesIn({ dependencies, devDependencies }: Manifest): string[] {
  return Object.keys({ ...devDependencies, ...dependencies })
}

/** Notes what happens to signed-in users. */
function noteSessions({ project, draft, isVersion4 }: App): void {
  if (isVersion4) {
    draft.note(
      "Latchkey can't read the sessions of next-auth 4, and neither can next-auth 5. Users have to sign in again.",
    )
  } else {
    draft.note(
      'Users stay signed in if AUTH_SECRET stays the same and `security` is "compatible" (the default). Cookies and tokens work in both directions.',
    )
  }
  draft.note(
    "Latchkey still reads NEXTAUTH_URL and NEXTAUTH_SECRET. You can rename them in your deployments at any time.",
  )
  if (isVersion4 && (majorOf(project, "next") ?? 16) < 14)
    draft.note("@latchkey/next needs Next.js 14 or newer. Update Next.js first.")
}
