import type { Edit } from "../source/edits.js"
import { type Binding, bindingsOf, importEdit, styleOf } from "../source/imports.js"
import { nameOf, type Source } from "../source/syntax.js"
import { type App, change, sourceOf } from "./app.js"
import { removedImports } from "./names.js"

type Names = Readonly<Record<string, string>>

/** Types of version 4 that have another name. */
const renames: Readonly<Record<string, Names>> = {
  "next-auth/providers": { SendVerificationRequestParams: "EmailProviderSendVerificationRequestParams" },
  "next-auth/providers/email": { SendVerificationRequestParams: "EmailProviderSendVerificationRequestParams" },
  "next-auth/providers/github": { GithubProfile: "GitHubProfile", GithubEmail: "GitHubEmail" },
  "next-auth/providers/azure-ad-b2c": { AzureB2CProfile: "AzureADB2CProfile" },
}

/** Types of version 4 that don't exist anymore, but are short. */
const definitions: Readonly<Record<string, Names>> = {
  "next-auth": { SessionStrategy: '"jwt" | "database"', ISODateString: "string" },
  "next-auth/react": { "LiteralUnion<T extends U, U = string>": "T | (U & Record<never, never>)" },
  "next-auth/providers": { BuiltInProviderType: "string", RedirectableProviderType: '"email" | "credentials"' },
}

/** Renames imports of types, and defines those that don't exist anymore in the file itself. */
export function replaceFormerTypes(app: App): void {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source === undefined) continue
    change(app, source, renameEdits(source))
    defineTypes(app, path)
  }
}

function renameEdits({ program }: Source): Edit[] {
  return program.body.flatMap((statement) => {
    const names = statement.type === "ImportDeclaration" ? renames[statement.source.value] : undefined
    if (statement.type !== "ImportDeclaration" || names === undefined) return []
    return statement.specifiers.flatMap((specifier): Edit[] => {
      const to = specifier.type === "ImportSpecifier" ? names[nameOf(specifier.imported) ?? ""] : undefined
      if (to === undefined || specifier.type !== "ImportSpecifier") return []
      const { start, end } = { start: specifier.imported.start, end: specifier.local.end }
      return [{ start, end, text: `${to} as ${specifier.local.name}` }]
    })
  })
}

function defineTypes(app: App, path: string): void {
  const source = sourceOf(app, path)
  if (source === undefined) return
  const found = bindingsOf(source).flatMap((binding) => definitionOf(binding) ?? [])
  if (found.length === 0) return
  change(
    app,
    source,
    removedImports(
      source,
      found.map(({ binding }) => binding),
    ),
  )
  const rest = sourceOf(app, path)
  if (rest === undefined) return
  const { semicolon, newline } = styleOf(source)
  const lines = found.map(({ text }) => `${text}${semicolon}`).join(newline)
  // Without an import left, the types go where one would.
  const { start, end, text } = importEdit(rest, "x", "x")
  const last = rest.program.body.findLast(({ type }) => type === "ImportDeclaration")
  change(app, rest, [
    { start, end, text: last === undefined ? lines + text.slice(text.trimEnd().length) : newline + newline + lines },
  ])
}

interface Definition {
  readonly binding: Binding
  readonly text: string
}

function definitionOf(binding: Binding): Definition | undefined {
  const entry = Object.entries(definitions[binding.from] ?? {}).find(
    ([name]) => /^\w+/.exec(name)?.[0] === binding.imported,
  )
  if (entry === undefined) return undefined
  const [name, value] = entry
  return { binding, text: `type ${name.replace(binding.imported, binding.local)} = ${value}` }
}
